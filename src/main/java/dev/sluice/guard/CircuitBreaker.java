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
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A store that is left alone for a moment once it has failed too often.
 *
 * <p>While it is, calls fail at once. After a random time it is tried by three calls at a time:
 * five answers in a row end that, and a failure starts it again, for longer: at most 50 ms, 100 ms
 * and so on up to half a second. Only what tells of the store counts as a failure; a call that was
 * shed, or whose caller could not wait, says nothing, and one that the store refused was answered.
 * Thread-safe; the lock guards the change from one state to the next and what is tried, and a store
 * that is well is asked without it.
 */
public final class CircuitBreaker implements BucketStore {
  static final Duration SHORTEST = Duration.ofMillis(50);
  static final Duration LONGEST = Duration.ofMillis(500);
  private static final int TRIED_AT_A_TIME = 3;
  private static final int ANSWERS_TO_CLOSE = 5;

  private final BucketStore store;
  private final LongSupplier ticker;
  private final RandomGenerator random;
  private final BreakerObserver observer;
  private volatile State state;

  /** Whether the store is asked. */
  private sealed interface State {}

  /** Asked; sees how that ends. */
  private final class Closed
      implements State, BiConsumer<@Nullable List<Verdict>, @Nullable Throwable> {
    private final FailureCount failures = new FailureCount(ticker.getAsLong());

    @Override
    public void accept(@Nullable List<Verdict> verdicts, @Nullable Throwable error) {
      Effect effect = effect(error);
      if (effect == Effect.ANSWER) {
        failures.succeeded(ticker.getAsLong());
      } else if (effect == Effect.FAILURE && failures.failed(ticker.getAsLong())) {
        open(this);
      }
    }
  }

  /** Left alone until then, for the so-manieth time. */
  private record Open(long untilNanos, int round) implements State {}

  /** Tried; what it holds is guarded by the breaker's lock. */
  private static final class Trying implements State {
    private final int round;
    private int underWay;
    private int answers;

    Trying(int round) {
      this.round = round;
    }
  }

  /**
   * A store that is taken to be well.
   *
   * @param ticker nanoseconds that pass
   * @param random for how long it is left alone
   */
  public CircuitBreaker(
      BucketStore store, LongSupplier ticker, RandomGenerator random, BreakerObserver observer) {
    this.store = store;
    this.ticker = ticker;
    this.random = random;
    this.observer = observer;
    this.state = new Closed();
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    State current = state;
    if (current instanceof Closed closed) {
      return Pending.witnessed(store.decide(charges, deadline), closed);
    }
    Trying trial = trial();
    if (trial == null) {
      return CompletableFuture.failedFuture(
          new BucketStoreException(Reason.BREAKER_OPEN, "it failed too often just now"));
    }
    return tried(trial, charges, deadline);
  }

  private CompletionStage<List<Verdict>> tried(
      Trying trial, List<BucketCharge> charges, Deadline deadline) {
    try {
      return Pending.witnessed(
          store.decide(charges, deadline), (verdicts, error) -> ended(trial, effect(error)));
    } catch (RuntimeException | Error e) {
      ended(trial, Effect.NONE);
      throw e;
    }
  }

  /** The trial that one more call may take part in, if there is one. */
  private synchronized @Nullable Trying trial() {
    if (state instanceof Open open && ticker.getAsLong() - open.untilNanos >= 0) {
      state = new Trying(open.round);
    }
    if (!(state instanceof Trying trial) || trial.underWay == TRIED_AT_A_TIME) {
      return null;
    }
    trial.underWay++;
    return trial;
  }

  /**
   * Ends the time for which the store is left alone, if it is: something says that it may be well
   * again. It is tried as at the end of that time.
   */
  public synchronized void tryNow() {
    if (state instanceof Open open) {
      state = new Trying(open.round);
    }
  }

  private synchronized void open(Closed closed) {
    if (state == closed) {
      state = open(0);
      observer.opened();
    }
  }

  private Open open(int round) {
    long most = Math.min(LONGEST.toNanos(), SHORTEST.toNanos() << Math.min(round, 10));
    return new Open(ticker.getAsLong() + random.nextLong(most), round);
  }

  private synchronized void ended(Trying trial, Effect effect) {
    trial.underWay--;
    if (state != trial) {
      return;
    }
    if (effect == Effect.FAILURE) {
      state = open(trial.round + 1);
    } else if (effect == Effect.ANSWER && ++trial.answers == ANSWERS_TO_CLOSE) {
      state = new Closed();
      observer.closed();
    }
  }

  /** What the end of a call says of the store. */
  private enum Effect {
    ANSWER,
    FAILURE,
    NONE
  }

  private static Effect effect(@Nullable Throwable error) {
    if (error == null) {
      return Effect.ANSWER;
    }
    if (!(BucketStoreException.unwrapped(error) instanceof BucketStoreException failure)) {
      return Effect.NONE;
    }
    return switch (failure.reason()) {
      case ERROR -> Effect.ANSWER;
      case SHED, NO_TIME, WAITED, QUEUE_FULL, BREAKER_OPEN -> Effect.NONE;
      default -> Effect.FAILURE;
    };
  }
}
