package dev.sluice.local;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.Terms;
import dev.sluice.limit.Charge;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Batches whose units go back to their buckets, once their end has come or earlier.
 *
 * <p>Units that are on their way back were called back under the lock of their lease, so they are
 * never spent. If the store does not confirm that it got them, they are lost until the bucket has
 * drained: to send them again could give them twice. Thread-safe.
 */
final class Returns implements Lease.Recall {
  /**
   * How many gifts go together: a call of so many takes Redis about as long as one of a request.
   */
  private static final int TOGETHER = 32;

  /** Gifts are nobody's request: they are the first to wait, and no stand-in takes them. */
  private static final Terms TERMS =
      new Terms(Terms.OnFailure.ERROR, Terms.Priority.SHEDDABLE, true);

  private final BucketStore store;
  private final LeaseObserver observer;
  private final Queue<Due> due = new ConcurrentLinkedQueue<>();
  private final Queue<Due> early = new ConcurrentLinkedQueue<>();

  private record Due(Lease lease, Batch batch) {}

  Returns(BucketStore store, LeaseObserver observer) {
    this.store = store;
    this.observer = observer;
  }

  /** A batch was granted. All live equally long, so the first to come is the first to end. */
  void granted(Lease lease, Batch batch) {
    due.add(new Due(lease, batch));
  }

  @Override
  public void early(Lease lease, Batch batch) {
    early.add(new Due(lease, batch));
  }

  /** Gives back what is not to be spent any more; completes, always well, when that is done. */
  CompletableFuture<Void> giveEnded(long nowNanos) {
    List<Due> ended = drained(early);
    for (Due next = due.peek(); next != null && next.batch.hasEnded(nowNanos); next = due.peek()) {
      // Another thread may be here as well; what it took in between is asked again.
      Due taken = due.poll();
      if (taken != null) {
        ended.add(taken);
      }
    }
    return give(ended);
  }

  /** Gives everything back; completes, always well, when that is done. */
  CompletableFuture<Void> giveAll() {
    List<Due> all = drained(early);
    all.addAll(drained(due));
    return give(all);
  }

  private static List<Due> drained(Queue<Due> queue) {
    List<Due> all = new ArrayList<>();
    for (Due next = queue.poll(); next != null; next = queue.poll()) {
      all.add(next);
    }
    return all;
  }

  private CompletableFuture<Void> give(List<Due> ended) {
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    List<BucketCharge> gifts = new ArrayList<>();
    for (Due next : ended) {
      next.lease.lock();
      long units = next.batch.callBack();
      next.lease.unlock();
      if (units > 0) {
        gifts.add(
            new BucketCharge(
                next.lease.key(),
                next.batch.limit(),
                new Charge.Give(units),
                BucketCharge.Veto.NEVER,
                TERMS));
      }
      if (gifts.size() == TOGETHER) {
        calls.add(send(gifts));
        gifts = new ArrayList<>();
      }
    }
    if (!gifts.isEmpty()) {
      calls.add(send(gifts));
    }
    return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> send(List<BucketCharge> gifts) {
    long units = gifts.stream().mapToLong(gift -> gift.charge().units()).sum();
    observer.calledBack(units);
    return store
        .decide(gifts, Deadline.NONE)
        .handle(
            (verdicts, error) -> {
              if (error != null) {
                observer.lost(units);
              }
              return (Void) null;
            })
        .toCompletableFuture();
  }
}
