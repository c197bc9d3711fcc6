package dev.sluice.guard;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sluice.bucket.BucketKey;
import dev.sluice.limit.Balance;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * When buckets will be full again, by what their store said of each last.
 *
 * <p>Memory is bounded: beyond the maximum, the buckets that are least in use are forgotten, which
 * is as if they were full. Thread-safe. It is written on the way of every request, so a bucket that
 * is in here costs a look-up and one write that no other thread has to wait for.
 */
public final class LastKnown {
  private static final long NANOS_PER_MICRO = 1_000;

  private final LongSupplier ticker;
  private final Cache<BucketKey, AtomicLong> fullAtNanos;

  /**
   * A memory without buckets.
   *
   * @param ticker nanoseconds that pass
   * @param maximum how many buckets are remembered, at least 1
   */
  public LastKnown(LongSupplier ticker, long maximum) {
    this.ticker = ticker;
    fullAtNanos = Caffeine.newBuilder().maximumSize(maximum).executor(Runnable::run).build();
  }

  /** The store said this of a bucket, just now. */
  void note(BucketKey key, Balance balance) {
    long fullAt = ticker.getAsLong() + balance.resetAfterMicros() * NANOS_PER_MICRO;
    AtomicLong known = fullAtNanos.getIfPresent(key);
    if (known != null) {
      known.setRelease(fullAt);
    } else if (balance.resetAfterMicros() > 0) {
      fullAtNanos.put(key, new AtomicLong(fullAt));
    }
  }

  /** Microseconds until a bucket is full, rounded up; 0 where it is, or is not known. */
  long backlogMicros(BucketKey key) {
    AtomicLong known = fullAtNanos.getIfPresent(key);
    if (known == null) {
      return 0;
    }
    long left = known.getAcquire() - ticker.getAsLong();
    return Math.max(0, (left + NANOS_PER_MICRO - 1) / NANOS_PER_MICRO);
  }
}
