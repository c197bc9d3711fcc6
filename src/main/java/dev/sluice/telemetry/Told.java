package dev.sluice.telemetry;

import dev.sluice.statsd.Stats;
import java.util.HashMap;
import java.util.Map;

/** How much of some counters has been told. Used by one thread at a time. */
final class Told {
  private final Map<String, Long> totals = new HashMap<>();

  /** Tells how much a counter has grown since it was last told, if it has. */
  void tell(String name, long total, Stats.Hearer hearer) {
    long before = totals.getOrDefault(name, 0L);
    if (total > before) {
      totals.put(name, total);
      hearer.count(name, total - before);
    }
  }
}
