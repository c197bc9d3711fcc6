package dev.sluice.telemetry;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What is counted of one rule. Thread-safe.
 *
 * @param decisions descriptors by what became of them; shared with rules of the same name
 * @param hits its counters, perhaps shared with rules that differ only below the second level; null
 *     where labels come from requests
 */
record RuleMeters(Map<Outcome, LongAdder> decisions, @Nullable HitCounters hits) {
  /** Decisions, none of them made yet. */
  static Map<Outcome, LongAdder> noDecisions() {
    Map<Outcome, LongAdder> decisions = new EnumMap<>(Outcome.class);
    decisions.put(Outcome.WITHIN_LIMIT, new LongAdder());
    decisions.put(Outcome.OVER_LIMIT, new LongAdder());
    decisions.put(Outcome.SHADOWED, new LongAdder());
    return decisions;
  }

  void count(Outcome outcome) {
    Objects.requireNonNull(decisions.get(outcome)).increment();
  }
}
