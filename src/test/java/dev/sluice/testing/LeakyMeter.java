package dev.sluice.testing;

import dev.sluice.limit.Limit;

/**
 * Finds out by how much admissions go beyond a limit, in the worst of all intervals at once.
 *
 * <p>It leaks at the limit's rate and fills by what is admitted; what it holds above the burst, at
 * its highest, is the overshoot over {@code burst + length * rate} of the interval that is worst.
 * It is a bucket that never refuses, and shares no code with the ones under test. Exact: it counts
 * units times microseconds. Not thread-safe.
 */
public final class LeakyMeter {
  private final Limit limit;
  private long level;
  private long highest;
  private long lastMicros;
  private long admitted;

  /** A meter that is empty. */
  public LeakyMeter(Limit limit) {
    this.limit = limit;
  }

  /** Counts units that were admitted at a time that is not before the last one. */
  public void admit(long nowMicros, long units) {
    long leaked = Math.multiplyExact(nowMicros - lastMicros, limit.requests());
    lastMicros = nowMicros;
    level = Math.addExact(Math.max(0, level - leaked), scaled(units));
    highest = Math.max(highest, level);
    admitted += units;
  }

  /** Whole units beyond the burst, rounded up; less than 0 while the burst was never used up. */
  public long overshoot() {
    return -Math.floorDiv(scaled(limit.burst()) - highest, limit.period().micros());
  }

  /** All that was admitted. */
  public long admitted() {
    return admitted;
  }

  private long scaled(long units) {
    return Math.multiplyExact(units, limit.period().micros());
  }
}
