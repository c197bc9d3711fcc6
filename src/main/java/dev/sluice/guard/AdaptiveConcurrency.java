package dev.sluice.guard;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.Pending;
import dev.sluice.bucket.Terms.Priority;
import dev.sluice.concurrency.Gate;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Verdict;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that takes no more calls at one time than it can answer in time.
 *
 * <p>What is beyond fails at once; nothing waits here. A call counts until the store has really
 * answered it, however long ago its caller gave up, so the store must not end calls for its own
 * time-out while they still keep Redis busy. Critical calls may fill the whole limit, others a part
 * of it. Thread-safe.
 */
public final class AdaptiveConcurrency implements BucketStore {
  private final BucketStore store;
  private final Gate gate;
  private final LongSupplier ticker;
  private final ConcurrencyObserver observer;

  /**
   * A store behind a gate.
   *
   * @param ticker nanoseconds that pass
   */
  public AdaptiveConcurrency(
      BucketStore store, Gate gate, LongSupplier ticker, ConcurrencyObserver observer) {
    this.store = store;
    this.gate = gate;
    this.ticker = ticker;
    this.observer = observer;
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    Priority priority = priority(charges);
    int place = gate.enter(share(priority));
    if (place == 0) {
      observer.shed(priority);
      return CompletableFuture.failedFuture(
          new BucketStoreException(Reason.SHED, "as many calls wait as are answered in time"));
    }
    long startNanos = ticker.getAsLong();
    return Pending.witnessed(
        below(charges, deadline), (verdicts, error) -> left(place, startNanos, error));
  }

  private CompletionStage<List<Verdict>> below(List<BucketCharge> charges, Deadline deadline) {
    try {
      return store.decide(charges, deadline);
    } catch (RuntimeException | Error e) {
      gate.leave();
      throw e;
    }
  }

  private void left(int place, long startNanos, @Nullable Throwable error) {
    Reason reason = error == null ? null : reason(error);
    if (error == null || reason == Reason.TIMEOUT || reason == Reason.WAITED) {
      long now = ticker.getAsLong();
      gate.leave(place, now - startNanos, now);
    } else {
      gate.leave();
    }
  }

  private static @Nullable Reason reason(Throwable error) {
    return BucketStoreException.unwrapped(error) instanceof BucketStoreException failure
        ? failure.reason()
        : null;
  }

  /**
   * That of the most critical charge. What only gives units back may be dropped first: they are
   * free a little later then.
   */
  private static Priority priority(List<BucketCharge> charges) {
    Priority first = Priority.SHEDDABLE;
    boolean gives = true;
    for (BucketCharge charge : charges) {
      gives &= charge.charge() instanceof Charge.Give;
      if (charge.terms().priority().compareTo(first) < 0) {
        first = charge.terms().priority();
      }
    }
    return gives ? Priority.SHEDDABLE : first;
  }

  /** The part of the limit that calls of a priority may fill. */
  private static double share(Priority priority) {
    return switch (priority) {
      case CRITICAL -> 1.0;
      case DEFAULT -> 0.85;
      case SHEDDABLE -> 0.6;
    };
  }
}
