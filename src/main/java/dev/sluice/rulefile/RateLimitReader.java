package dev.sluice.rulefile;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.sluice.bucket.Terms;
import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.rule.Metadata;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import dev.sluice.rule.Rule.Conduct;
import dev.sluice.rule.Rule.Label;
import dev.sluice.rule.Rule.Payment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the rule of one descriptor. */
final class RateLimitReader {
  static final String PRIORITY = "priority";
  private static final Words<Period> UNITS = new Words<>(Period.class, "unit");
  private static final Words<Terms.Priority> PRIORITIES =
      new Words<>(Terms.Priority.class, PRIORITY);

  private final Mapping descriptor;
  private final Way way;

  RateLimitReader(Mapping descriptor, Way way) {
    this.descriptor = descriptor;
    this.way = way;
  }

  /** The rule; nothing where the descriptor has none, or one with problems. */
  Optional<Draft> read() {
    boolean shadow = descriptor.flag("shadow_mode").orElse(false);
    boolean quota = descriptor.flag("quota_mode").orElse(false);
    Label label = new Label(way.labels(), descriptor.flag("detailed_metric").orElse(false));
    Metadata metadata = MetadataReader.read(descriptor);
    Optional<Node> rateLimit = descriptor.get("rate_limit").filter(it -> !it.isNull());
    if (rateLimit.isEmpty()) {
      warnOfIdle(shadow, "shadow_mode");
      warnOfIdle(quota, "quota_mode");
      warnOfIdle(label.detailed(), "detailed_metric");
      warnOfIdle(!metadata.isEmpty(), "metadata");
    }
    return rateLimit
        .flatMap(node -> Mapping.of(node, Vocabulary.RATE_LIMIT, descriptor.reading()))
        .flatMap(
            limit -> {
              String name = limit.text("name");
              Set<String> replaces = replaces(limit, name);
              Optional<Said<OnFailure>> failure = FailureReader.read(limit);
              Conduct conduct = conduct(shadow, quota, limit);
              return rateLimit(limit)
                  .map(it -> new Rule(way.id(), name, it, conduct, replaces, metadata, label))
                  .map(it -> new Draft(it, failure.map(Said::value)));
            });
  }

  private void warnOfIdle(boolean given, String key) {
    if (given) {
      Node value = descriptor.get(key).orElse(descriptor.node());
      descriptor.reading().warning(value, "%s has no effect without a rate_limit beside it", key);
    }
  }

  private static Set<String> replaces(Mapping limit, String own) {
    List<Node> entries = limit.list("replaces");
    if (entries.isEmpty()) {
      return Set.of();
    }
    Set<String> names = new LinkedHashSet<>();
    for (Node entry : entries) {
      Mapping.of(entry, Vocabulary.REPLACES, limit.reading())
          .ifPresent(
              it -> {
                String name = it.text("name");
                if (it.lacks("name")) {
                  limit.reading().problem(entry, "an entry of replaces has no name (expected one)");
                } else if (name.equals(own) && !own.isEmpty()) {
                  limit
                      .reading()
                      .problem(
                          entry, "'%s' replaces itself (expected the name of another rule)", name);
                }
                limit.reading().replaces(entry, name);
                names.add(name);
              });
    }
    return names;
  }

  private static Optional<RateLimit> rateLimit(Mapping limit) {
    if (limit.flag("unlimited").orElse(false)) {
      for (String key : List.of("unit", "burst", "debt", "post_paid", "lease", FailureReader.KEY)) {
        if (!limit.lacks(key)) {
          problem(limit, key, "%s is given for an unlimited rule (expected none)", key);
        }
      }
      return Optional.of(new RateLimit.Unlimited());
    }
    Optional<Period> period = period(limit);
    if (!limit.has("requests_per_unit")) {
      problem(
          limit,
          "requests_per_unit",
          "requests_per_unit is missing (expected a whole number; 0 blocks)");
    }
    Optional<Long> requests = limit.number("requests_per_unit", 0);
    Optional<Long> burst = limit.number("burst", 1);
    Optional<Long> debt = limit.number("debt", 0);
    if (period.isEmpty()
        || requests.isEmpty()
        || unreadable(limit, "burst", burst)
        || unreadable(limit, "debt", debt)) {
      return Optional.empty();
    }
    return requests.get() == 0
        ? blocked(limit, period.get())
        : limited(limit, requests.get(), period.get(), burst, debt);
  }

  private static Optional<RateLimit> blocked(Mapping limit, Period period) {
    for (String key : List.of("burst", "debt")) {
      limit
          .get(key)
          .ifPresent(
              node -> problem(limit, key, "%s is given for a limit of 0 (expected none)", key));
    }
    return Optional.of(new RateLimit.Blocked(period));
  }

  private static Optional<RateLimit> limited(
      Mapping limit, long requests, Period period, Optional<Long> burst, Optional<Long> debt) {
    try {
      long size = burst.orElse(requests);
      Limit read =
          debt.isPresent()
              ? Limit.of(requests, period, size, debt.get())
              : Limit.of(requests, period, size);
      return Optional.of(new RateLimit.Limited(limit.reading().limits().of(read)));
    } catch (IllegalArgumentException e) {
      problem(limit, burst.isPresent() ? "burst" : "debt", "%s", String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private static Optional<Period> period(Mapping limit) {
    if (limit.lacks("unit")) {
      problem(limit, "unit", "the unit is missing (expected one of %s)", UNITS);
      return Optional.empty();
    }
    return UNITS.read(limit, "unit");
  }

  private static Payment payment(Mapping limit) {
    return limit
        .flag("post_paid")
        .map(it -> it ? Payment.REPORTED : Payment.ASKED)
        .orElse(Payment.AS_SENT);
  }

  private static Conduct conduct(boolean shadow, boolean quota, Mapping limit) {
    Payment payment = payment(limit);
    Terms terms = terms(limit);
    boolean usual = !shadow && !quota && payment == Payment.AS_SENT && terms.equals(Terms.STANDARD);
    return usual
        ? Conduct.PLAIN
        : limit.reading().conducts().of(new Conduct(shadow, quota, payment, terms));
  }

  private static Terms terms(Mapping limit) {
    Terms standard = Terms.STANDARD;
    return standard
        .leasable(limit.flag("lease").orElse(standard.leasable()))
        .with(PRIORITIES.read(limit, PRIORITY).orElse(standard.priority()));
  }

  private static boolean unreadable(Mapping limit, String key, Optional<Long> number) {
    return limit.has(key) && number.isEmpty();
  }

  /** A problem with a key, at its value, or at the whole mapping where the key is missing. */
  @FormatMethod
  private static void problem(
      Mapping limit, String key, @FormatString String format, Object... arguments) {
    limit.reading().problem(limit.get(key).orElse(limit.node()), format, arguments);
  }
}
