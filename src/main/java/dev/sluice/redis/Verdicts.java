package dev.sluice.redis;

import dev.sluice.bucket.BucketStoreException;
import dev.sluice.limit.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The verdicts on groups that several calls decide, which may end on different threads. One call
 * that fails is a failure of them all, and then the others are not waited for.
 */
final class Verdicts implements ScriptCall.Receiver {
  private final CompletableFuture<List<List<Verdict>>> all = new CompletableFuture<>();
  private final List<List<Verdict>> verdicts;
  private final AtomicInteger open;

  /** Nothing yet; a group that no call decides has no verdicts. */
  Verdicts(int groups, int calls) {
    verdicts = new ArrayList<>(Collections.nCopies(groups, List.of()));
    open = new AtomicInteger(calls);
    if (calls == 0) {
      all.complete(verdicts);
    }
  }

  CompletionStage<List<List<Verdict>>> all() {
    return all;
  }

  /** Called before the end of the call that decided it; no two calls have the same index. */
  @Override
  public void decided(int index, List<Verdict> group) {
    verdicts.set(index, group);
  }

  /** A call has given all of its verdicts. */
  void ended() {
    if (open.decrementAndGet() == 0) {
      all.complete(verdicts);
    }
  }

  /** A call has none to give. */
  void failed(RedisFailure failure) {
    all.completeExceptionally(new BucketStoreException(failure.reason(), failure.message()));
  }
}
