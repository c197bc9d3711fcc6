package dev.sluice.redis;

import dev.sluice.bucket.BucketStoreException;

/**
 * Sees what becomes of calls to Redis. Its methods are called on event loops and must not block or
 * throw.
 */
public interface RedisObserver {
  /**
   * Redis answered, in this many nanoseconds since the call was made; perhaps after its caller had
   * been answered.
   */
  void answered(long nanos);

  /** A caller was told that Redis did not decide. */
  void failed(BucketStoreException.Reason reason);
}
