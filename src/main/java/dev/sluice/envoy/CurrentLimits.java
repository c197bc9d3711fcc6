package dev.sluice.envoy;

import dev.sluice.limit.Period;
import dev.sluice.proto.service.RateLimitResponse.RateLimit;
import dev.sluice.rule.Rule;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The limits of rules in Envoy's terms, each said once and kept while its rule is in use.
 *
 * <p>A rule is told by its identity. It has one place, and whoever comes later takes that over: so
 * memory is bounded whatever limits requests bring along. Thread-safe without locks.
 */
final class CurrentLimits {
  private static final int PLACES = 1_024;
  private static final Map<Period, RateLimit.Unit> UNITS = new EnumMap<>(Period.class);

  static {
    for (Period period : Period.values()) {
      UNITS.put(period, RateLimit.Unit.valueOf(period.name()));
    }
  }

  private final AtomicReferenceArray<@Nullable Said> places = new AtomicReferenceArray<>(PLACES);

  private record Said(Rule rule, RateLimit limit) {}

  /** The limit of a rule: so many units a period. */
  @SuppressWarnings(
      "ReferenceEquality") // Equal rules say the same, but to compare them costs more.
  RateLimit of(Rule rule, long requests, Period period) {
    int hash = System.identityHashCode(rule);
    int place = (hash ^ (hash >>> 16)) & (PLACES - 1);
    Said known = places.getAcquire(place);
    if (known != null && known.rule == rule) {
      return known.limit;
    }
    RateLimit limit =
        RateLimit.newBuilder()
            .setRequestsPerUnit((int) requests)
            .setUnit(Objects.requireNonNull(UNITS.get(period)))
            .setName(rule.name())
            .build();
    places.setRelease(place, new Said(rule, limit));
    return limit;
  }
}
