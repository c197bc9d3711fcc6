package dev.sluice.concurrency;

import com.netflix.concurrency.limits.limit.VegasLimit;
import java.time.Duration;

/**
 * Lets calls through as long as few of them wait: Netflix' Vegas, which is TCP's.
 *
 * <p>How many wait is told by time: limit · (1 − base / actual). With few waiting the limit grows,
 * with many it shrinks; 3 and 6 are few and many as long as the limit is below 100. A call that
 * took longer than there is time for it makes it shrink too.
 */
public final class Vegas implements Algorithm {
  private final Bounds bounds;
  private final long budgetNanos;
  private final LeastOfLately bases = new LeastOfLately();
  private volatile VegasLimit vegas;
  private volatile long baseNanos;

  /**
   * A limit that is at its start.
   *
   * @param budget the time there is for a call
   */
  public Vegas(Bounds bounds, Duration budget) {
    this.bounds = bounds;
    this.budgetNanos = budget.toNanos();
    this.vegas = from(bounds.start());
  }

  private VegasLimit from(int initial) {
    return VegasLimit.newBuilder().initialLimit(initial).maxConcurrency(bounds.most()).build();
  }

  @Override
  public int limit() {
    return Math.max(bounds.least(), vegas.getLimit());
  }

  @Override
  public long baseNanos() {
    return baseNanos;
  }

  @Override
  public void took(long nanos, int place, long nowNanos) {
    long positive = Math.max(1, nanos);
    baseNanos = bases.add(positive, nowNanos);
    vegas.onSample(nowNanos - nanos, positive, place, nanos > budgetNanos);
  }

  @Override
  public void restart() {
    bases.clear();
    vegas = from(Math.min(limit(), bounds.restart()));
  }
}
