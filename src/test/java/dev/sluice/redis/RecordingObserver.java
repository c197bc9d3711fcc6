package dev.sluice.redis;

import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what becomes of calls to Redis, and connections. */
final class RecordingObserver implements RedisObserver, ConnectionObserver {
  final AtomicInteger opened = new AtomicInteger();
  final AtomicInteger closed = new AtomicInteger();
  final AtomicInteger requests = new AtomicInteger();
  final AtomicInteger answered = new AtomicInteger();
  final AtomicInteger late = new AtomicInteger();
  final Map<Reason, Integer> failed = new ConcurrentHashMap<>();

  @Override
  public void answered(int several, long nanos) {
    requests.addAndGet(several);
    answered.incrementAndGet();
  }

  @Override
  public void opened() {
    opened.incrementAndGet();
  }

  @Override
  public void closed() {
    closed.incrementAndGet();
  }

  void cameLate() {
    late.incrementAndGet();
  }

  /** A store whose failures are counted. */
  BucketStore recorded(BucketStore store) {
    return (charges, deadline) ->
        store
            .decide(charges, deadline)
            .whenComplete(
                (verdicts, error) -> {
                  if (error != null) {
                    failed.merge(reason(error), 1, Integer::sum);
                  }
                });
  }

  private static Reason reason(Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    return cause instanceof BucketStoreException failure ? failure.reason() : Reason.ERROR;
  }
}
