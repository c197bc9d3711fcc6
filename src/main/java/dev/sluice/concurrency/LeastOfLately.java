package dev.sluice.concurrency;

import java.util.Arrays;

/** The least of the numbers seen in the last 30 seconds, to the second. Not thread-safe. */
final class LeastOfLately {
  private static final int SECONDS = 30;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final long[] least = new long[SECONDS];
  private long second = Long.MIN_VALUE;

  LeastOfLately() {
    clear();
  }

  /** Counts a number in, and returns the least. */
  long add(long number, long nowNanos) {
    long now = Math.floorDiv(nowNanos, NANOS_PER_SECOND);
    if (second != Long.MIN_VALUE) {
      long passed = Math.min(now - second, SECONDS);
      for (long i = 1; i <= passed; i++) {
        least[Math.floorMod(second + i, SECONDS)] = Long.MAX_VALUE;
      }
      if (passed == SECONDS) {
        Arrays.fill(least, Long.MAX_VALUE);
      }
    }
    second = now;
    int slot = Math.floorMod(now, SECONDS);
    least[slot] = Math.min(least[slot], number);
    return Arrays.stream(least).min().getAsLong();
  }

  void clear() {
    Arrays.fill(least, Long.MAX_VALUE);
    second = Long.MIN_VALUE;
  }
}
