package dev.sluice.telemetry;

import dev.sluice.statsd.Stats;

/** How much the counters of one name have grown. */
record Grown(StatKey key, Tally more) {
  /** Tells each of them that has. */
  void tell(Stats.Hearer hearer) {
    String name = key.name();
    tell(name + ".total_hits", more.hits(), hearer);
    tell(name + ".within_limit", more.within(), hearer);
    tell(name + ".over_limit", more.over(), hearer);
    tell(name + ".near_limit", more.near(), hearer);
    tell(name + ".over_limit_with_local_cache", more.cached(), hearer);
    tell(name + ".shadow_mode", more.shadow(), hearer);
  }

  private static void tell(String name, double more, Stats.Hearer hearer) {
    if (more > 0) {
      hearer.count(name, (long) more);
    }
  }
}
