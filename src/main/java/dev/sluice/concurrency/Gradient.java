package dev.sluice.concurrency;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;

/**
 * Lets as many calls through as keep the time that they take near the least that they took.
 *
 * <p>limit · least / actual + headroom, once for each window of 50 ms. Least is that of the windows
 * of the last 30 s, actual an exponential average over windows with a weight of 0.3 for the newest,
 * headroom the root of the limit. The limit does not grow while it is not in the way, shrinks by
 * half at most at a time, and by a fifth where calls took longer than there is time for them.
 */
public final class Gradient extends Windowed {
  private static final double NEWEST = 0.3;
  private static final double STEEPEST = 0.5;
  private double averageNanos;

  /**
   * A limit that is at its start.
   *
   * @param budget the time there is for a call
   * @param waiting the part of the time since it was asked last in which the caller waited
   * @param random how long windows are
   */
  public Gradient(Bounds bounds, Duration budget, DoubleSupplier waiting, RandomGenerator random) {
    super(bounds, budget, waiting, random);
  }

  @Override
  double next(Window over, double current, long medianNanos, long leastNanos) {
    averageNanos =
        averageNanos == 0 ? medianNanos : NEWEST * medianNanos + (1 - NEWEST) * averageNanos;
    if (over.lateShare() > 0) {
      return current * AFTER_LATE;
    }
    double gradient = Math.min(1, Math.max(STEEPEST, leastNanos / averageNanos));
    boolean inTheWay = over.mostPlaces() * 2 >= current;
    return current * gradient + (inTheWay ? Math.sqrt(current) : 0);
  }

  @Override
  public void restart() {
    super.restart();
    averageNanos = 0;
  }
}
