package dev.sluice.telemetry;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Counters whose names come from requests, as many as the budget allows; what is beyond is counted
 * together, as {@link StatLabels#OTHER} of its domain. Levels that the page does not tell have a
 * budget of their own, of the same size; what is beyond that is counted without them. Thread-safe;
 * never blocks.
 */
final class RequestCounters {
  /** One for each of the six counters. */
  static final int LINES = 6;

  private final Map<StatKey, HitCounters> counters = new ConcurrentHashMap<>();
  private final Map<StatKey, HitCounters> others = new ConcurrentHashMap<>();
  private final SeriesBudget budget;
  private final SeriesBudget deeper;

  RequestCounters(SeriesBudget budget) {
    this.budget = budget;
    deeper = budget.another();
  }

  /** Those of this name, of a domain that has rules. */
  HitCounters of(StatKey key) {
    HitCounters known = counters.get(key);
    if (known != null) {
      return known;
    }
    if (key.isOnPage()) {
      HitCounters made = key.isTooLong() ? null : made(key, budget);
      return made == null ? other(key) : made;
    }
    StatKey page = key.onPage();
    HitCounters shorter = of(page);
    boolean hasLine = counters.containsKey(page);
    HitCounters made = hasLine && !key.isTooLong() ? made(key, deeper) : null;
    return made == null ? shorter : made;
  }

  private HitCounters other(StatKey key) {
    return others.computeIfAbsent(StatKey.other(key.domain()), it -> new HitCounters());
  }

  /** Counters of their own, if there is room for them. */
  private @Nullable HitCounters made(StatKey key, SeriesBudget room) {
    if (!room.take(LINES)) {
      return null;
    }
    HitCounters made = new HitCounters();
    HitCounters earlier = counters.putIfAbsent(key, made);
    if (earlier == null) {
      return made;
    }
    room.give(LINES);
    return earlier;
  }

  /** Takes counters that no rule has any more, if there is room. */
  void adopt(StatKey key, HitCounters orphan) {
    if (!budget.take(LINES)) {
      return;
    }
    HitCounters sameLabels = counters.putIfAbsent(key.onPage(), orphan);
    if (sameLabels != null) {
      sameLabels.absorb(orphan);
      budget.give(LINES);
    }
  }

  /** Hands over the counters of this name, which a rule has from now on, if there are any. */
  @Nullable HitCounters release(StatKey key) {
    HitCounters released = counters.remove(key);
    if (released != null) {
      (key.isOnPage() ? budget : deeper).give(LINES);
    }
    return released;
  }

  /** Whether nothing has been counted here. */
  boolean isEmpty() {
    return counters.isEmpty() && others.isEmpty();
  }

  /** Forgets what there was no room for in domains that are gone. */
  void keepDomains(Set<String> domains) {
    others.keySet().removeIf(key -> !domains.contains(key.domain()));
  }

  void forEach(BiConsumer<StatKey, HitCounters> visitor) {
    counters.forEach(visitor);
    others.forEach(visitor);
  }
}
