package dev.sluice.local;

/**
 * How many units a second are asked for: an average over the past that forgets with a time constant
 * of 200 ms. Not thread-safe.
 */
final class Demand {
  private static final double MEMORY_NANOS = 200e6;
  private static final double MEMORIES_PER_SECOND = 1e9 / MEMORY_NANOS;

  private double remembered;
  private double before;
  private long lastNanos;

  Demand(long nowNanos) {
    lastNanos = nowNanos;
  }

  /** Counts units that are asked for now. */
  void count(long units, long nowNanos) {
    long passed = nowNanos - lastNanos;
    if (passed > 0) {
      remembered *= Math.exp(-passed / MEMORY_NANOS);
      lastNanos = nowNanos;
    }
    before = remembered;
    remembered += units;
  }

  /**
   * Units a second, as they were just before the last ones were counted: so a single request after
   * a pause does not look like a rush.
   */
  double perSecond() {
    return before * MEMORIES_PER_SECOND;
  }
}
