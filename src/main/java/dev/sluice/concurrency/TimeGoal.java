package dev.sluice.concurrency;

import java.time.Duration;
import java.util.function.DoubleSupplier;
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
public final class TimeGoal extends Windowed {
  static final double FLOOR = 0.5;
  static final double CEILING = 0.75;
  private static final double MOST_LATE = 0.02;
  private static final double SLOWEST_STEP_DOWN = 0.5;
  private static final double FASTEST_STEP_UP = 1.5;

  /**
   * A limit that is at its start.
   *
   * @param budget the time there is for a call
   * @param waiting the part of the time since it was asked last in which the caller waited
   * @param random how long windows are
   */
  public TimeGoal(Bounds bounds, Duration budget, DoubleSupplier waiting, RandomGenerator random) {
    super(bounds, budget, waiting, random);
  }

  @Override
  double next(Window over, double current, long medianNanos, long leastNanos) {
    double goal =
        Math.min(Math.max(2.0 * leastNanos, FLOOR * budgetNanos()), CEILING * budgetNanos());
    if (medianNanos > goal) {
      double within = goal * over.throughput();
      return Math.min(current, Math.max(within, current * SLOWEST_STEP_DOWN));
    }
    if (over.lateShare() > MOST_LATE) {
      return current * AFTER_LATE;
    }
    if (over.mostPlaces() * 2 < current) {
      return current;
    }
    return current * Math.min(FASTEST_STEP_UP, goal / medianNanos) + 1;
  }
}
