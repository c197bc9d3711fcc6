package dev.sluice.local;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The way from one replica to the store that all share: remembers what went over it, and can hold
 * back or lose answers. Charges arrive at once either way. For one thread.
 */
final class Wire implements BucketStore {
  /** What becomes of an answer. */
  enum Mode {
    /** It arrives at once. */
    PROMPT,
    /** It waits until {@link #deliver}. */
    HELD,
    /** It never arrives; the call fails. */
    LOST,
    /** The call fails, and never arrived. */
    CUT
  }

  private final BucketStore store;
  private final Deque<Runnable> held = new ArrayDeque<>();

  final List<BucketCharge> sent = new ArrayList<>();
  Mode mode = Mode.PROMPT;

  /** What becomes of the answers to charges in advance; null: as of all others. */
  Mode refills = Mode.PROMPT;

  Wire(BucketStore store) {
    this.store = store;
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    sent.addAll(charges);
    boolean refill = charges.get(0).charge() instanceof Charge.UpTo;
    Mode now = refill && mode == Mode.PROMPT ? refills : mode;
    if (now == Mode.CUT) {
      return failed();
    }
    CompletionStage<List<Verdict>> answer = store.decide(charges, deadline);
    return switch (now) {
      case HELD -> {
        CompletableFuture<List<Verdict>> waiting = new CompletableFuture<>();
        held.add(() -> waiting.complete(answer.toCompletableFuture().join()));
        yield waiting;
      }
      case LOST -> failed();
      default -> answer;
    };
  }

  /** Lets all answers arrive that were held back. */
  void deliver() {
    while (!held.isEmpty()) {
      held.poll().run();
    }
  }

  /** How many charges of this kind went over it. */
  long count(Class<? extends Charge> kind) {
    return sent.stream().filter(it -> kind.isInstance(it.charge())).count();
  }

  private static CompletionStage<List<Verdict>> failed() {
    return CompletableFuture.failedFuture(new BucketStoreException(Reason.TIMEOUT, "no answer"));
  }
}
