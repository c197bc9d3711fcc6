package dev.sluice.telemetry;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.limit.Verdict;
import io.prometheus.client.Counter;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts the verdicts of a store, and what it did not decide. Thread-safe. */
final class CountedStore implements BucketStore {
  private final BucketStore store;
  private final Counter.Child conforming;
  private final Counter.Child denied;
  private final Consumer<Reason> failures;

  CountedStore(
      BucketStore store,
      Counter.Child conforming,
      Counter.Child denied,
      Consumer<Reason> failures) {
    this.store = store;
    this.conforming = conforming;
    this.denied = denied;
    this.failures = failures;
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    return store.decide(charges, deadline).whenComplete(this::count);
  }

  private void count(@Nullable List<Verdict> verdicts, @Nullable Throwable error) {
    if (verdicts == null) {
      failures.accept(reason(error));
      return;
    }
    for (Verdict verdict : verdicts) {
      (verdict.conforms() ? conforming : denied).inc();
    }
  }

  private static Reason reason(@Nullable Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    return cause instanceof BucketStoreException failure ? failure.reason() : Reason.ERROR;
  }
}
