package dev.sluice.redis;

import dev.sluice.bucket.BatchStore.Outcome;
import dev.sluice.bucket.BucketStoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What became of groups that several calls decide, which may end on different threads. One call
 * that fails is a failure of them all, and then the others are not waited for.
 */
final class Verdicts implements ScriptCall.Receiver {
  private static final Outcome NONE = new Outcome.Decided(List.of());

  private final CompletableFuture<List<Outcome>> all = new CompletableFuture<>();
  private final List<Outcome> outcomes;
  private final AtomicInteger open;

  /** Nothing yet; a group that no call decides has no verdicts. */
  Verdicts(int groups, int calls) {
    outcomes = new ArrayList<>(Collections.nCopies(groups, NONE));
    open = new AtomicInteger(calls);
    if (calls == 0) {
      all.complete(outcomes);
    }
  }

  CompletionStage<List<Outcome>> all() {
    return all;
  }

  /** Called before the end of the call that decided it; no two calls have the same index. */
  @Override
  public void decided(int index, Outcome outcome) {
    outcomes.set(index, outcome);
  }

  /** A call has given all of its verdicts. */
  void ended() {
    if (open.decrementAndGet() == 0) {
      all.complete(outcomes);
    }
  }

  /** A call has none to give. */
  void failed(RedisFailure failure) {
    all.completeExceptionally(new BucketStoreException(failure.reason(), failure.message()));
  }
}
