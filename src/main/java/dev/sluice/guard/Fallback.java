package dev.sluice.guard;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.Deadline;
import dev.sluice.limit.Verdict;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A store whose groups are always decided, or fail because a rule says that they should: what the
 * store behind it does not decide, a stand-in does.
 *
 * <p>Every call is made to the store first, so that the first one it answers again is its own.
 * Thread-safe.
 */
public final class Fallback implements BucketStore {
  private final BucketStore store;
  private final StandIn standIn;

  public Fallback(BucketStore store, StandIn standIn) {
    this.store = store;
    this.standIn = standIn;
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    return standIn.behind(store, charges, deadline);
  }
}
