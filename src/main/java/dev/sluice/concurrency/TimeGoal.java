package dev.sluice.concurrency;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Lets as many calls through as can be answered in the time there is for them.
 *
 * <p>For something with a deadline, how long a call waits matters, and not how many wait with it:
 * nothing is refused as long as calls end in time. Calls are watched in windows of 50 ms. Where the
 * middle call of a window took longer than the goal, the limit goes down to what is answered within
 * the goal (Little's law: calls that end in a unit of time, times the goal), by half at most at a
 * time, so that one stall does not empty a busy place. Where it took less and the limit was in the
 * way, the limit goes up again.
 *
 * <p>The goal is half of the time there is. Where calls take more than a quarter of it while
 * nothing waits, as they do over a long way, it is twice what they take then, up to {@value
 * #CEILING} of the time.
 */
public final class TimeGoal implements Algorithm {
  static final double FLOOR = 0.5;
  static final double CEILING = 0.75;
  private static final long WINDOW_NANOS = Duration.ofMillis(50).toNanos();
  private static final double MOST_LATE = 0.02;
  private static final double AFTER_LATE = 0.8;
  private static final double SLOWEST_STEP_DOWN = 0.5;
  private static final double FASTEST_STEP_UP = 1.5;

  private final Bounds bounds;
  private final long budgetNanos;
  private final Window window;
  private final LeastOfLately bases = new LeastOfLately();
  private volatile double limit;
  private volatile long baseNanos;

  /**
   * A limit that is at its start.
   *
   * @param budget the time there is for a call
   * @param random how long windows are
   */
  public TimeGoal(Bounds bounds, Duration budget, RandomGenerator random) {
    this.bounds = bounds;
    this.budgetNanos = budget.toNanos();
    this.window = new Window(WINDOW_NANOS, random);
    this.limit = bounds.start();
  }

  @Override
  public int limit() {
    return (int) limit;
  }

  @Override
  public long baseNanos() {
    return baseNanos;
  }

  @Override
  public void took(long nanos, int place, long nowNanos) {
    window.add(nanos, place, nanos > budgetNanos, nowNanos);
    if (window.isOver(nowNanos)) {
      limit = bounds.clamp(next(nowNanos));
      window.clear();
    }
  }

  private double next(long nowNanos) {
    long median = window.medianNanos();
    baseNanos = bases.add(median, nowNanos);
    double goal = Math.min(Math.max(2.0 * baseNanos, FLOOR * budgetNanos), CEILING * budgetNanos);
    double current = limit;
    if (median > goal) {
      double within = goal * window.throughput();
      return Math.min(current, Math.max(within, current * SLOWEST_STEP_DOWN));
    }
    if (window.lateShare() > MOST_LATE) {
      return current * AFTER_LATE;
    }
    if (window.mostPlaces() * 2 < current) {
      return current;
    }
    return current * Math.min(FASTEST_STEP_UP, goal / median) + 1;
  }

  @Override
  public void restart() {
    window.clear();
    bases.clear();
    limit = bounds.restart();
  }
}
