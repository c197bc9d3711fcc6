package dev.sluice.concurrency;

/** A limit that learns nothing. */
public final class Fixed implements Algorithm {
  private final int limit;

  /** The limit, at least 1. */
  public Fixed(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("the limit is " + limit + " (expected at least 1)");
    }
    this.limit = limit;
  }

  @Override
  public int limit() {
    return limit;
  }

  @Override
  public long baseNanos() {
    return 0;
  }

  @Override
  public void took(long nanos, int place, long nowNanos) {}

  @Override
  public void restart() {}
}
