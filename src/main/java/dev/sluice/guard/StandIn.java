package dev.sluice.guard;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.Pending;
import dev.sluice.bucket.Vote;
import dev.sluice.guard.FallbackObserver.Outcome;
import dev.sluice.limit.Verdict;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Decides what a store did not, and keeps account of it: when that begins and ends, how often it
 * happens, and what the store said last.
 *
 * <p>Thread-safe; what it costs while all is well is one look-up for each verdict.
 */
public final class StandIn {
  private final Shares shares;
  private final FailurePolicy policy;
  private final Outage outage;
  private final FallbackObserver observer;

  /**
   * The local buckets, and what they begin with.
   *
   * @param buckets are emptied whenever an outage begins
   * @param lastKnown is told what the store says
   */
  public record Shares(LocalShares buckets, LastKnown lastKnown) {}

  /**
   * A stand-in.
   *
   * @param policy decides; asks the local buckets
   * @param ticker nanoseconds that pass
   */
  public StandIn(
      Shares shares, FailurePolicy policy, LongSupplier ticker, FallbackObserver observer) {
    this.shares = shares;
    this.policy = policy;
    this.outage = new Outage(ticker, observer);
    this.observer = observer;
  }

  /**
   * Asks a store, and hears what it answers. The stage fails if the store does, however it does.
   */
  CompletionStage<List<Verdict>> asked(
      BucketStore store, List<BucketCharge> charges, Deadline deadline) {
    CompletionStage<List<Verdict>> answer;
    try {
      answer = store.decide(charges, deadline);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    return Pending.witnessed(
        answer,
        (verdicts, error) -> {
          if (verdicts != null) {
            answered(charges, verdicts);
          }
        });
  }

  /** Asks a store, and decides what it does not. */
  CompletionStage<List<Verdict>> behind(
      BucketStore store, List<BucketCharge> charges, Deadline deadline) {
    return asked(store, charges, deadline)
        .exceptionallyCompose(failure -> decide(charges, deadline, failure));
  }

  private void answered(List<BucketCharge> charges, List<Verdict> verdicts) {
    for (int i = 0; i < verdicts.size(); i++) {
      shares.lastKnown.note(charges.get(i).key(), verdicts.get(i).balance());
    }
    outage.succeeded();
  }

  /**
   * Decides what the store did not. A caller who cannot wait, or whose turn comes too late, says
   * nothing of the store, so that is no outage.
   *
   * @param failure why it did not
   * @return fails with a {@link BucketStoreException} of the same reason where a rule says so
   */
  public CompletionStage<List<Verdict>> decide(
      List<BucketCharge> charges, Deadline deadline, Throwable failure) {
    Throwable cause = BucketStoreException.unwrapped(failure);
    Reason reason = cause instanceof BucketStoreException known ? known.reason() : Reason.ERROR;
    if (reason.tellsOfStore()) {
      shares.buckets.during(outage.failed(cause));
    }
    return policy
        .decide(charges, deadline)
        .handle(
            (verdicts, refusal) -> {
              Outcome outcome = refusal == null ? outcome(charges, verdicts) : Outcome.FAILED;
              observer.stoodIn(reason, FailurePolicy.strictest(charges), outcome);
              return refusal == null
                  ? CompletableFuture.completedFuture(verdicts)
                  : CompletableFuture.<List<Verdict>>failedFuture(told(reason, cause, refusal));
            })
        .thenCompose(it -> it);
  }

  /** Takes back what it gave to a request that was denied elsewhere. */
  void giveBack(List<BucketCharge> gifts) {
    var unused = policy.decide(gifts, Deadline.NONE);
  }

  private static Throwable told(Reason reason, Throwable cause, Throwable refusal) {
    Throwable why = BucketStoreException.unwrapped(refusal);
    return why instanceof BucketStoreException
        ? new BucketStoreException(reason, cause.getMessage() + "; " + why.getMessage())
        : why;
  }

  private static Outcome outcome(List<BucketCharge> charges, List<Verdict> verdicts) {
    Vote vote = new Vote();
    for (int i = 0; i < verdicts.size(); i++) {
      vote.count(charges.get(i).veto(), verdicts.get(i).conforms());
    }
    return vote.allows() ? Outcome.ALLOWED : Outcome.DENIED;
  }
}
