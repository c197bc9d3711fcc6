package dev.sluice.guard;

import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The time between the first failure of a store and its first success that no failure follows for a
 * second.
 *
 * <p>So an hour without Redis begins once and ends once. An outage is slight if it is shorter than
 * a second, or the store decided most calls in it all the same. Where slight ones follow each
 * other, only the first is told of, and another one no sooner than it is more than that, or has
 * gone on for ten seconds: a store that is late now and then does not fill the log. What is told as
 * its cause is what came first, and not that the store was left alone because of it. Thread-safe; a
 * success costs one volatile read while all is well.
 */
final class Outage {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long LONG = Duration.ofSeconds(10).toNanos();
  private static final long QUIET = Duration.ofMinutes(2).toNanos();

  private final LongSupplier ticker;
  private final OutageObserver observer;
  private volatile boolean open;

  /** Guarded by this, as are those below. */
  private int number;

  private long beganNanos;
  private long lastFailureNanos;
  private long failures;
  private Throwable cause = new IllegalStateException("it never failed");

  /** Successes in it, up to the last failure and since then. */
  private long successes;

  private long successesSince;

  /** Whether it is told of only if it is not slight, and whether it was. */
  private boolean quiet;

  private boolean told;

  Outage(LongSupplier ticker, OutageObserver observer) {
    this.ticker = ticker;
    this.observer = observer;
  }

  /**
   * The store failed.
   *
   * @return which outage that is part of; the first is 1
   */
  int failed(Throwable failure) {
    int outage;
    boolean tells;
    Throwable first;
    synchronized (this) {
      count(failure);
      outage = number;
      first = cause;
      tells = !told && !(quiet && isSlight());
      told |= tells;
    }
    if (tells) {
      observer.began(first);
    }
    return outage;
  }

  /** Counts a failure. The lock of this is held. */
  private void count(Throwable failure) {
    long now = ticker.getAsLong();
    if (!open && !(failures > 0 && isConsequence(failure))) {
      cause = failure;
    }
    if (!open) {
      quiet = failures > 0 && isSlight() && now - lastFailureNanos < QUIET;
      told = false;
      open = true;
      number++;
      beganNanos = now;
      failures = 0;
      successes = 0;
      successesSince = 0;
    }
    lastFailureNanos = now;
    failures++;
    successes += successesSince;
    successesSince = 0;
  }

  /** Whether it says no more than that the store failed before. */
  private static boolean isConsequence(Throwable failure) {
    return failure instanceof BucketStoreException it && it.reason() == Reason.BREAKER_OPEN;
  }

  private boolean isSlight() {
    long length = lastFailureNanos - beganNanos;
    return length < SECOND || (successes >= failures && length < LONG);
  }

  void succeeded() {
    if (open) {
      ended().ifPresent(it -> observer.ended(it.length, it.failures));
    }
  }

  private synchronized Optional<Ended> ended() {
    successesSince++;
    if (!open || ticker.getAsLong() - lastFailureNanos < SECOND) {
      return Optional.empty();
    }
    open = false;
    return told
        ? Optional.of(new Ended(Duration.ofNanos(lastFailureNanos - beganNanos), failures))
        : Optional.empty();
  }

  private record Ended(Duration length, long failures) {}
}
