package dev.sluice.redis;

import dev.sluice.bucket.BucketStoreException.Reason;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what becomes of calls to Redis. */
final class RecordingObserver implements RedisObserver {
  final AtomicInteger answered = new AtomicInteger();
  final Map<Reason, Integer> failed = new ConcurrentHashMap<>();

  @Override
  public void answered(long nanos) {
    answered.incrementAndGet();
  }

  @Override
  public void failed(Reason reason) {
    failed.merge(reason, 1, Integer::sum);
  }
}
