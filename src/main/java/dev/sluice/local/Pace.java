package dev.sluice.local;

import dev.sluice.limit.Limit;

/**
 * How long a bucket that is empty is left alone, so that some units drip in before it is asked
 * again: ten milliseconds, or a twentieth of the time in which it fills if that is shorter.
 *
 * <p>The bucket cannot fill up meanwhile, so no unit is lost.
 */
final class Pace {
  private static final long LONGEST_NANOS = 10_000_000;

  /** A twentieth of a microsecond, in nanoseconds. */
  private static final long TWENTIETH = 50;

  private Pace() {}

  static long nanos(Limit limit) {
    long fillMicros = Math.min(limit.capacity().whole(), LONGEST_NANOS);
    return Math.min(LONGEST_NANOS, fillMicros * TWENTIETH);
  }
}
