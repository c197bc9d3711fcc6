package dev.sluice.concurrency;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * An algorithm that watches calls in windows of 50 ms, and sets its limit anew after each. Calls
 * that took longer than there is time for them count as late.
 */
abstract sealed class Windowed implements Algorithm permits Gradient, TimeGoal {
  static final double AFTER_LATE = 0.8;
  private static final long WINDOW_NANOS = Duration.ofMillis(50).toNanos();
  private final Bounds bounds;
  private final long budgetNanos;
  private final Window window;
  private final LeastOfLately bases = new LeastOfLately();
  private volatile double limit;
  private volatile long baseNanos;

  Windowed(Bounds bounds, Duration budget, RandomGenerator random) {
    this.bounds = bounds;
    this.budgetNanos = budget.toNanos();
    this.window = new Window(WINDOW_NANOS, random);
    this.limit = bounds.start();
  }

  /**
   * The next limit, before it is brought within its bounds.
   *
   * @param over the window that is over
   * @param current the limit that held in it
   * @param medianNanos how long its middle call took
   * @param leastNanos the least of these medians in the last 30 s
   */
  abstract double next(Window over, double current, long medianNanos, long leastNanos);

  /** The time there is for a call, in nanoseconds. */
  final long budgetNanos() {
    return budgetNanos;
  }

  @Override
  public final int limit() {
    return (int) limit;
  }

  @Override
  public final long baseNanos() {
    return baseNanos;
  }

  @Override
  public final void took(long nanos, int place, long nowNanos) {
    window.add(nanos, place, nanos > budgetNanos, nowNanos);
    if (window.isOver(nowNanos)) {
      long median = window.medianNanos();
      long least = bases.add(median, nowNanos);
      baseNanos = least;
      limit = bounds.clamp(next(window, limit, median, least));
      window.clear();
    }
  }

  @Override
  public void restart() {
    window.clear();
    bases.clear();
    limit = bounds.restart();
  }
}
