package dev.sluice.guard;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.Pending;
import dev.sluice.limit.Verdict;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store whose outages are told of: one of several, each of which may be down alone. It changes
 * nothing of what the store below it answers. Thread-safe.
 */
public final class Watched
    implements BucketStore, BiConsumer<@Nullable List<Verdict>, @Nullable Throwable> {
  private final BucketStore store;
  private final Outage outage;

  /**
   * A store that is watched.
   *
   * @param ticker nanoseconds that pass
   */
  public Watched(BucketStore store, LongSupplier ticker, OutageObserver observer) {
    this.store = store;
    this.outage = new Outage(ticker, observer);
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    return Pending.witnessed(store.decide(charges, deadline), this);
  }

  @Override
  public void accept(@Nullable List<Verdict> verdicts, @Nullable Throwable error) {
    if (error == null) {
      outage.succeeded();
      return;
    }
    Throwable cause = BucketStoreException.unwrapped(error);
    if (!(cause instanceof BucketStoreException it) || it.reason().tellsOfStore()) {
      var unused = outage.failed(cause);
    }
  }
}
