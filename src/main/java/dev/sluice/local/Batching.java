package dev.sluice.local;

import dev.sluice.bucket.BatchStore;
import dev.sluice.bucket.BatchStore.Outcome;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.Pending;
import dev.sluice.limit.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store whose requests go together while it is busy.
 *
 * <p>As long as only a few calls are under way, a request is a call of its own and goes at once.
 * Else it waits until one of them ends, and goes with all that wait, in the order in which they
 * came. So nobody waits for company, and the longer a call takes, the more go with the next one.
 *
 * <p>A request that has waited beyond its deadline fails and is not sent. A call that fails does so
 * for those who went with it.
 *
 * <p>Thread-safe, without locks: one thread at a time makes calls, and whoever finds it at work
 * leaves it a note and goes.
 */
public final class Batching implements BucketStore {
  private final BatchStore store;
  private final Bounds bounds;
  private final LongSupplier ticker;

  private final Queue<Waiting> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();

  /** How often somebody found something to do; above 0 while a thread is at work. */
  private final AtomicInteger notes = new AtomicInteger();

  /**
   * How much there is of everything. All are at least 1.
   *
   * @param calls that may be under way at one time
   * @param charges of a call; a request that has more goes alone
   * @param waiting requests that may wait at one time
   */
  public record Bounds(int calls, int charges, int waiting) {
    public Bounds {
      if (calls < 1 || charges < 1 || waiting < 1) {
        throw new IllegalArgumentException(
            String.format(
                "%d calls, %d charges, %d waiting (expected at least 1 of each)",
                calls, charges, waiting));
      }
    }
  }

  /** A request that waits for its call, or for the end of it. */
  private static final class Waiting extends Pending {
    private final List<BucketCharge> charges;
    private final Deadline deadline;

    Waiting(List<BucketCharge> charges, Deadline deadline) {
      this.charges = charges;
      this.deadline = deadline;
    }

    void tell(Outcome outcome) {
      if (outcome instanceof Outcome.Failed failed) {
        completeExceptionally(failed.why());
      } else {
        complete(((Outcome.Decided) outcome).verdicts());
      }
    }
  }

  /**
   * A store before which nothing waits yet.
   *
   * @param ticker the clock of {@link Deadline}
   */
  public Batching(BatchStore store, Bounds bounds, LongSupplier ticker) {
    this.store = store;
    this.bounds = bounds;
    this.ticker = ticker;
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    if (charges.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    if (waiting.incrementAndGet() > bounds.waiting()) {
      waiting.decrementAndGet();
      return CompletableFuture.failedFuture(
          new BucketStoreException(
              Reason.QUEUE_FULL, bounds.waiting() + " requests wait for the store"));
    }
    Waiting request = new Waiting(charges, deadline);
    queue.add(request);
    makeCalls();
    return request;
  }

  /**
   * Makes calls until there is nothing to do, unless another thread is at it and will see to it.
   */
  private void makeCalls() {
    if (notes.getAndIncrement() > 0) {
      return;
    }
    int seen = 1;
    while (seen > 0) {
      while (underWay.get() < bounds.calls() && makeCall()) {
        // The next one.
      }
      seen = notes.addAndGet(-seen);
    }
  }

  /** Makes a call, if anybody waits for one. Only the thread that is at work may do that. */
  private boolean makeCall() {
    List<Waiting> batch = next();
    if (batch.isEmpty()) {
      return false;
    }
    underWay.incrementAndGet();
    List<List<BucketCharge>> groups = new ArrayList<>(batch.size());
    for (Waiting request : batch) {
      groups.add(request.charges);
    }
    CompletionStage<List<Outcome>> answer;
    try {
      answer = store.decideAll(groups);
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    var unused = answer.whenComplete((outcomes, error) -> ended(batch, outcomes, error));
    return true;
  }

  /** Takes those who go together off the queue. */
  private List<Waiting> next() {
    List<Waiting> batch = new ArrayList<>();
    long now = ticker.getAsLong();
    int charges = 0;
    Waiting request = queue.peek();
    while (request != null
        && (charges == 0 || charges + request.charges.size() <= bounds.charges())) {
      queue.remove();
      waiting.decrementAndGet();
      if (request.deadline.leftNanos(now) > 0) {
        batch.add(request);
        charges += request.charges.size();
      } else {
        request.completeExceptionally(
            new BucketStoreException(Reason.WAITED, "its time was up before it could be asked"));
      }
      request = queue.peek();
    }
    return batch;
  }

  /** A call has ended. The next one is made before the callers of this one are told. */
  private void ended(
      List<Waiting> batch, @Nullable List<Outcome> outcomes, @Nullable Throwable error) {
    underWay.decrementAndGet();
    makeCalls();
    for (int i = 0; i < batch.size(); i++) {
      if (outcomes != null && i < outcomes.size()) {
        batch.get(i).tell(outcomes.get(i));
      } else {
        batch.get(i).completeExceptionally(error == null ? noAnswer() : error);
      }
    }
  }

  private static BucketStoreException noAnswer() {
    return new BucketStoreException(Reason.ERROR, "an answer without verdicts");
  }
}
