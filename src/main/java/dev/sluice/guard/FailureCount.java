package dev.sluice.guard;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * How calls ended lately: how many failed in a row, and how many of one second. Thread-safe; calls
 * that end at the turn of a second may be counted in either.
 */
final class FailureCount {
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final int MOST_IN_A_ROW = 10;
  private static final int FEWEST_CALLS = 20;

  private final AtomicInteger inARow = new AtomicInteger();
  private volatile Second second;

  FailureCount(long nowNanos) {
    second = new Second(nowNanos);
  }

  void succeeded(long nowNanos) {
    if (inARow.get() != 0) {
      inARow.set(0);
    }
    at(nowNanos).calls.increment();
  }

  /**
   * Counts a failure; says whether there are too many: ten in a row, or half of at least twenty
   * calls of a second.
   */
  boolean failed(long nowNanos) {
    Second current = at(nowNanos);
    current.calls.increment();
    current.failures.increment();
    long calls = current.calls.sum();
    return inARow.incrementAndGet() >= MOST_IN_A_ROW
        || (calls >= FEWEST_CALLS && current.failures.sum() * 2 >= calls);
  }

  private Second at(long nowNanos) {
    Second current = second;
    if (nowNanos - current.startNanos >= SECOND_NANOS) {
      current = new Second(nowNanos);
      second = current;
    }
    return current;
  }

  private static final class Second {
    private final long startNanos;
    private final LongAdder calls = new LongAdder();
    private final LongAdder failures = new LongAdder();

    Second(long startNanos) {
      this.startNanos = startNanos;
    }
  }
}
