package dev.sluice.concurrency;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Lets as many calls through as keep the time that they take near the least that they took.
 *
 * <p>limit · least / actual + headroom, once for each window of 50 ms. Least is that of the windows
 * of the last 30 s, actual an exponential average over windows with a weight of 0.3 for the newest,
 * headroom the root of the limit. The limit does not grow while it is not in the way, shrinks by
 * half at most at a time, and by a fifth where calls took longer than there is time for them.
 */
public final class Gradient implements Algorithm {
  private static final long WINDOW_NANOS = Duration.ofMillis(50).toNanos();
  private static final double NEWEST = 0.3;
  private static final double STEEPEST = 0.5;
  private static final double AFTER_LATE = 0.8;

  private final Bounds bounds;
  private final long budgetNanos;
  private final Window window;
  private final LeastOfLately bases = new LeastOfLately();
  private double averageNanos;
  private volatile double limit;
  private volatile long baseNanos;

  /**
   * A limit that is at its start.
   *
   * @param budget the time there is for a call
   * @param random how long windows are
   */
  public Gradient(Bounds bounds, Duration budget, RandomGenerator random) {
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
    averageNanos = averageNanos == 0 ? median : NEWEST * median + (1 - NEWEST) * averageNanos;
    baseNanos = bases.add(median, nowNanos);
    double current = limit;
    if (window.lateShare() > 0) {
      return current * AFTER_LATE;
    }
    double gradient = Math.min(1, Math.max(STEEPEST, baseNanos / averageNanos));
    boolean inTheWay = window.mostPlaces() * 2 >= current;
    return current * gradient + (inTheWay ? Math.sqrt(current) : 0);
  }

  @Override
  public void restart() {
    window.clear();
    bases.clear();
    averageNanos = 0;
    limit = bounds.restart();
  }
}
