package dev.sluice.concurrency;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;

/**
 * An algorithm that watches calls in windows of 50 ms, and sets its limit anew after each. Calls
 * that took longer than there is time for them count as late.
 *
 * <p>An answer that has arrived may lie there until whoever asked gets to it. So what calls took in
 * a window counts for the part of that window in which the asker had nothing to do but wait: a
 * process that is busy itself does not take what it asks for slow.
 */
abstract sealed class Windowed implements Algorithm permits Gradient, TimeGoal {
  static final double AFTER_LATE = 0.8;
  private static final double LEAST_SHARE = 0.01;

  /** With less than this, times are too rough an estimate to be the measure of others. */
  private static final double MOSTLY = 0.5;

  private static final long WINDOW_NANOS = Duration.ofMillis(50).toNanos();
  private final Bounds bounds;
  private final long budgetNanos;
  private final DoubleSupplier waiting;
  private final Window window;
  private final LeastOfLately bases = new LeastOfLately();

  /** What the asker waited of the last window; 0 before there was one. */
  private double share;

  private volatile double limit;
  private volatile long baseNanos;

  Windowed(Bounds bounds, Duration budget, DoubleSupplier waiting, RandomGenerator random) {
    this.bounds = bounds;
    this.budgetNanos = budget.toNanos();
    this.waiting = waiting;
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
    window.add(nanos, place, nanos * share > budgetNanos, nowNanos);
    if (window.isOver(nowNanos)) {
      share = Math.max(LEAST_SHARE, waiting.getAsDouble());
      window.scale(share);
      long median = window.medianNanos();
      if (share >= MOSTLY || baseNanos == 0) {
        baseNanos = bases.add(median, nowNanos);
      }
      limit = bounds.clamp(next(window, limit, median, baseNanos));
      window.clear();
    }
  }

  @Override
  public void restart() {
    window.clear();
    bases.clear();
    limit = Math.min(limit, bounds.restart());
  }
}
