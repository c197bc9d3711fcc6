package dev.sluice.guard;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.Pending;
import dev.sluice.limit.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that answers in time, or says that it did not.
 *
 * <p>A call gets the time that the settings give it, and no more than its caller's deadline leaves,
 * less what the way back takes. When the time is up the caller is told, and the call goes on below:
 * what it holds there it holds until the store has really answered, and that answer is counted and
 * dropped. A call whose caller has hardly any time left is not made at all. Thread-safe.
 */
public final class TimeLimit implements BucketStore {
  /** How late an alarm may ring. */
  public static final Duration TICK = Duration.ofMillis(2);

  /** What the answer needs on its way back. */
  private static final long WAY_BACK_NANOS = Duration.ofMillis(2).toNanos();

  /** With less than this a call is not worth making. */
  private static final long LEAST_NANOS = Duration.ofMillis(1).toNanos();

  private final BucketStore store;
  private final long mostNanos;
  private final Alarm alarm;
  private final LongSupplier ticker;
  private final TimeLimitObserver observer;

  /**
   * A store whose calls have an end.
   *
   * @param most the time for a call whose caller has more
   * @param ticker the clock of {@link Deadline}
   */
  public TimeLimit(
      BucketStore store,
      Duration most,
      Alarm alarm,
      LongSupplier ticker,
      TimeLimitObserver observer) {
    this.store = store;
    this.mostNanos = most.toNanos();
    this.alarm = alarm;
    this.ticker = ticker;
    this.observer = observer;
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    long now = ticker.getAsLong();
    long left = deadline.leftNanos(now);
    if (left < WAY_BACK_NANOS + LEAST_NANOS) {
      return CompletableFuture.failedFuture(noTime());
    }
    boolean hurried = left - WAY_BACK_NANOS < mostNanos;
    long nanos = hurried ? left - WAY_BACK_NANOS : mostNanos;
    CompletableFuture<List<Verdict>> below =
        store.decide(charges, new Deadline(now + nanos)).toCompletableFuture();
    if (below.isDone()) {
      return below;
    }
    return new Race(below, hurried ? Math.max(0, nanos - TICK.toNanos()) : nanos, hurried);
  }

  private static BucketStoreException noTime() {
    return new BucketStoreException(Reason.NO_TIME, "its caller could not wait for an answer");
  }

  /** An answer, or the end of the time for it, whichever comes first. */
  private final class Race extends Pending
      implements Runnable, BiConsumer<@Nullable List<Verdict>, @Nullable Throwable> {
    private final boolean hurried;
    private final Runnable turnOff;

    Race(CompletableFuture<List<Verdict>> below, long nanos, boolean hurried) {
      this.hurried = hurried;
      this.turnOff = alarm.set(nanos, this);
      var unused = Pending.witnessed(below, this);
    }

    /** The time is up. */
    @Override
    public void run() {
      completeExceptionally(
          hurried
              ? noTime()
              : new BucketStoreException(
                  Reason.TIMEOUT,
                  "no answer in " + Duration.ofNanos(mostNanos).toMillis() + " ms"));
    }

    /** The answer is here. */
    @Override
    public void accept(@Nullable List<Verdict> verdicts, @Nullable Throwable error) {
      turnOff.run();
      if (verdicts == null) {
        completeExceptionally(error == null ? new IllegalStateException("no answer") : error);
      } else if (!complete(verdicts)) {
        observer.cameLate();
      }
    }
  }
}
