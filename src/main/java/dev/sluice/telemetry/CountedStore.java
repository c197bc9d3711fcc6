package dev.sluice.telemetry;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.Deadline;
import dev.sluice.limit.Verdict;
import io.prometheus.client.Counter;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Counts the verdicts of a store. Thread-safe. */
final class CountedStore implements BucketStore {
  private final BucketStore store;
  private final Counter.Child conforming;
  private final Counter.Child denied;

  CountedStore(BucketStore store, Counter.Child conforming, Counter.Child denied) {
    this.store = store;
    this.conforming = conforming;
    this.denied = denied;
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    return store.decide(charges, deadline).thenApply(this::counted);
  }

  private List<Verdict> counted(List<Verdict> verdicts) {
    for (Verdict verdict : verdicts) {
      (verdict.conforms() ? conforming : denied).inc();
    }
    return verdicts;
  }
}
