package dev.sluice.redis;

import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The tariffs that were asked for lately, so that what many requests ask is worked out once.
 *
 * <p>Each has one place, and whoever comes later takes it over: so memory is bounded whatever
 * limits requests bring along. Thread-safe without locks; who finds another one there makes its
 * own.
 */
final class Tariffs {
  private static final int PLACES = 1_024;

  private final AtomicReferenceArray<@Nullable Tariff> places = new AtomicReferenceArray<>(PLACES);

  /** The tariff of a limit and a charge. */
  Tariff of(Limit limit, Charge charge) {
    int hash = limit.hashCode() * 31 + charge.hashCode();
    int place = (hash ^ (hash >>> 16)) & (PLACES - 1);
    Tariff known = places.getAcquire(place);
    if (known != null && known.is(limit, charge)) {
      return known;
    }
    Tariff made = new Tariff(limit, charge);
    places.setRelease(place, made);
    return made;
  }
}
