package dev.sluice.guard;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.Deadline;
import dev.sluice.limit.Verdict;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * A store that always answers: what the store behind it does not decide, a stand-in does.
 *
 * <p>Every call is made to the store first, so that the first one it answers again is its own.
 * Thread-safe.
 */
public final class Fallback implements BucketStore {
  private final BucketStore store;
  private final BucketStore standIn;
  private final Outage outage;
  private final FallbackObserver observer;

  /**
   * A store with a stand-in.
   *
   * @param standIn must never fail
   * @param ticker nanoseconds that pass
   */
  public Fallback(
      BucketStore store, BucketStore standIn, LongSupplier ticker, FallbackObserver observer) {
    this.store = store;
    this.standIn = standIn;
    this.outage = new Outage(ticker, observer);
    this.observer = observer;
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    return store
        .decide(charges, deadline)
        .thenApply(this::answered)
        .exceptionallyCompose(error -> standIn(charges, deadline, error));
  }

  private List<Verdict> answered(List<Verdict> verdicts) {
    outage.succeeded();
    return verdicts;
  }

  private CompletionStage<List<Verdict>> standIn(
      List<BucketCharge> charges, Deadline deadline, Throwable error) {
    outage.failed(Objects.requireNonNullElse(error.getCause(), error));
    observer.stoodIn();
    return standIn.decide(charges, deadline);
  }
}
