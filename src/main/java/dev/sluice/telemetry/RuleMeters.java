package dev.sluice.telemetry;

import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What is counted of one rule. Thread-safe.
 *
 * @param rule the rule
 * @param hits its counters, perhaps shared with rules that differ only below the second level
 * @param decisions descriptors by what became of them
 */
record RuleMeters(Rule rule, HitCounters hits, Map<Outcome, LongAdder> decisions) {
  /** Meters that go on counting where earlier ones of the same place stopped, if there were any. */
  static RuleMeters of(Rule rule, HitCounters hits, @Nullable RuleMeters earlier) {
    return new RuleMeters(rule, hits, earlier == null ? atZero() : earlier.decisions);
  }

  /** The same with other counters. */
  RuleMeters with(HitCounters others) {
    return others == hits ? this : new RuleMeters(rule, others, decisions);
  }

  private static Map<Outcome, LongAdder> atZero() {
    Map<Outcome, LongAdder> decisions = new EnumMap<>(Outcome.class);
    decisions.put(Outcome.WITHIN_LIMIT, new LongAdder());
    decisions.put(Outcome.OVER_LIMIT, new LongAdder());
    decisions.put(Outcome.SHADOWED, new LongAdder());
    return decisions;
  }

  void count(Outcome outcome) {
    Objects.requireNonNull(decisions.get(outcome)).increment();
  }

  /** Whether anything has ever been counted. */
  boolean isUsed() {
    return decisions.values().stream().anyMatch(it -> it.sum() > 0);
  }

  /** The time that the limit is over, as the rule file writes it. */
  String unit() {
    RateLimit limit = rule.rateLimit();
    if (limit instanceof RateLimit.Limited limited) {
      return Metrics.word(limited.limit().period());
    }
    return limit instanceof RateLimit.Blocked blocked ? Metrics.word(blocked.period()) : "";
  }

  /** How many units it allows in that time. */
  long limit() {
    return rule.rateLimit() instanceof RateLimit.Limited limited ? limited.limit().requests() : 0;
  }
}
