package dev.sluice.bucket;

import dev.sluice.limit.Verdict;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Verdicts that are waited for, with witnesses: they are told of the end before anybody else, the
 * first one first.
 *
 * <p>A decorator that only looks on needs no stage of its own for that, as it would with {@code
 * whenComplete}; there are several of them on the way of each request. Thread-safe. The first end
 * counts; to cancel it is no end that witnesses are told of.
 */
public abstract class Pending extends CompletableFuture<List<Verdict>> {
  private static final Witness CLOSED = new Witness((verdicts, error) -> {}, null);

  private static final AtomicReferenceFieldUpdater<Pending, @Nullable Witness> WITNESSES =
      AtomicReferenceFieldUpdater.newUpdater(Pending.class, Witness.class, "witnesses");

  /** The one that came last, and before it the others; once the end has come, nobody any more. */
  private volatile @Nullable Witness witnesses;

  private static final class Witness {
    private final BiConsumer<@Nullable List<Verdict>, @Nullable Throwable> action;
    private @Nullable Witness next;

    Witness(
        BiConsumer<@Nullable List<Verdict>, @Nullable Throwable> action, @Nullable Witness next) {
      this.action = action;
      this.next = next;
    }
  }

  /**
   * The same as {@link CompletionStage#whenComplete}: nobody sees the end before the action has;
   * and if the action fails, so does a stage that did not.
   *
   * @param stage that nobody else has seen yet
   */
  public static CompletionStage<List<Verdict>> witnessed(
      CompletionStage<List<Verdict>> stage,
      BiConsumer<@Nullable List<Verdict>, @Nullable Throwable> action) {
    return stage instanceof Pending pending && pending.add(action)
        ? pending
        : stage.whenComplete(action);
  }

  /** Whether it came before the end. */
  private boolean add(BiConsumer<@Nullable List<Verdict>, @Nullable Throwable> action) {
    Witness last = witnesses;
    while (last != CLOSED) {
      if (WITNESSES.compareAndSet(this, last, new Witness(action, last))) {
        return true;
      }
      last = witnesses;
    }
    return false;
  }

  @Override
  public final boolean complete(List<Verdict> verdicts) {
    return end(verdicts, null);
  }

  @Override
  public final boolean completeExceptionally(Throwable error) {
    return end(null, error);
  }

  private boolean end(@Nullable List<Verdict> verdicts, @Nullable Throwable error) {
    Witness last = WITNESSES.getAndSet(this, CLOSED);
    if (last == CLOSED) {
      return false;
    }
    Throwable failure = error;
    for (Witness each = firstFirst(last); each != null; each = each.next) {
      try {
        each.action.accept(failure == null ? verdicts : null, failure);
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
      }
    }
    return failure == null ? super.complete(verdicts) : super.completeExceptionally(failure);
  }

  private static @Nullable Witness firstFirst(@Nullable Witness last) {
    Witness first = null;
    Witness each = last;
    while (each != null) {
      Witness before = each.next;
      each.next = first;
      first = each;
      each = before;
    }
    return first;
  }
}
