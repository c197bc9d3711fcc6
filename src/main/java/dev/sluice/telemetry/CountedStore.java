package dev.sluice.telemetry;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.Pending;
import dev.sluice.limit.Verdict;
import io.prometheus.client.Counter;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts the verdicts of a store, and what it did not decide. Thread-safe. */
final class CountedStore
    implements BucketStore, BiConsumer<@Nullable List<Verdict>, @Nullable Throwable> {
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
    return Pending.witnessed(store.decide(charges, deadline), this);
  }

  @Override
  public void accept(@Nullable List<Verdict> verdicts, @Nullable Throwable error) {
    if (verdicts == null) {
      failures.accept(reason(error));
      return;
    }
    int fitting = 0;
    for (int i = 0; i < verdicts.size(); i++) {
      fitting += verdicts.get(i).conforms() ? 1 : 0;
    }
    add(conforming, fitting);
    add(denied, verdicts.size() - fitting);
  }

  private static void add(Counter.Child counter, int verdicts) {
    if (verdicts > 0) {
      counter.inc(verdicts);
    }
  }

  private static Reason reason(@Nullable Throwable error) {
    return error != null
            && BucketStoreException.unwrapped(error) instanceof BucketStoreException failure
        ? failure.reason()
        : Reason.ERROR;
  }
}
