package dev.sluice.guard;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.Terms;
import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.bucket.Terms.Priority;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A store that answers when a test says so, in the order of the calls. */
final class SlowStore implements BucketStore {
  final List<Deadline> deadlines = new ArrayList<>();
  private final Deque<CompletableFuture<List<Verdict>>> calls = new ArrayDeque<>();

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    CompletableFuture<List<Verdict>> call = new CompletableFuture<>();
    deadlines.add(deadline);
    calls.add(call);
    return call;
  }

  /** How many calls wait. */
  int waiting() {
    return calls.size();
  }

  /** Answers the call that waits for longest. */
  void answer() {
    calls.remove().complete(List.of());
  }

  /** Fails the call that waits for longest. */
  void fail(Reason reason) {
    calls.remove().completeExceptionally(new BucketStoreException(reason, "no"));
  }

  /** Something to ask. */
  static List<BucketCharge> charges(Charge charge, Priority... priorities) {
    List<BucketCharge> charges = new ArrayList<>();
    for (Priority priority : priorities) {
      charges.add(
          new BucketCharge(
              BucketKey.in("slow").entry("bucket", priority.name()).build(),
              Limit.of(10, Period.DAY),
              charge,
              BucketCharge.Veto.ALONE,
              new Terms(OnFailure.LOCAL, priority, true)));
    }
    return charges;
  }

  /** Why a store did not decide. */
  static Reason reason(CompletionStage<?> answer) {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    var unused = answer.whenComplete((verdicts, error) -> failure.set(error));
    Throwable error = failure.get();
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    if (cause instanceof BucketStoreException known) {
      return known.reason();
    }
    throw new AssertionError("expected a failure", cause);
  }
}
