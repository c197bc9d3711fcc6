package dev.sluice.telemetry;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Counters whose labels come from requests, as many as the budget allows; what is beyond is counted
 * together, as {@link StatLabels#OTHER} of its domain. Thread-safe; never blocks.
 */
final class RequestCounters {
  /** One for each of the five counters. */
  static final int LINES = 5;

  private final Map<StatLabels, HitCounters> counters = new ConcurrentHashMap<>();
  private final Map<StatLabels, HitCounters> others = new ConcurrentHashMap<>();
  private final SeriesBudget budget;

  RequestCounters(SeriesBudget budget) {
    this.budget = budget;
  }

  /** Those with these labels, of a domain that has rules. */
  HitCounters of(StatLabels labels) {
    HitCounters known = counters.get(labels);
    if (known != null) {
      return known;
    }
    if (labels.isTooLong() || !budget.take(LINES)) {
      return others.computeIfAbsent(StatLabels.other(labels.domain()), it -> new HitCounters());
    }
    HitCounters made = new HitCounters();
    HitCounters earlier = counters.putIfAbsent(labels, made);
    if (earlier == null) {
      return made;
    }
    budget.give(LINES);
    return earlier;
  }

  /** Takes counters that no rule has any more, if there is room. */
  void adopt(StatLabels labels, HitCounters orphan) {
    if (!budget.take(LINES)) {
      return;
    }
    HitCounters sameLabels = counters.putIfAbsent(labels, orphan);
    if (sameLabels != null) {
      sameLabels.add(orphan.read());
      budget.give(LINES);
    }
  }

  /** Hands over the counters with these labels, which a rule has from now on, if there are any. */
  @Nullable HitCounters release(StatLabels labels) {
    HitCounters released = counters.remove(labels);
    if (released != null) {
      budget.give(LINES);
    }
    return released;
  }

  /** Forgets what there was no room for in domains that are gone. */
  void keepDomains(Set<String> domains) {
    others.keySet().removeIf(labels -> !domains.contains(labels.domain()));
  }

  void forEach(BiConsumer<StatLabels, HitCounters> visitor) {
    counters.forEach(visitor);
    others.forEach(visitor);
  }
}
