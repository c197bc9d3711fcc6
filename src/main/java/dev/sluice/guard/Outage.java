package dev.sluice.guard;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The time between the first failure of a store and its first success that no failure follows for a
 * second.
 *
 * <p>So an hour without Redis begins once and ends once, and one that fails now and then is one
 * outage too. Thread-safe; a success costs one volatile read while all is well.
 */
final class Outage {
  private static final long CALM_NANOS = Duration.ofSeconds(1).toNanos();

  private final LongSupplier ticker;
  private final OutageObserver observer;
  private volatile boolean open;
  private volatile int number;

  /** Guarded by this, as are the two below. */
  private long beganNanos;

  private long lastFailureNanos;
  private long failures;

  Outage(LongSupplier ticker, OutageObserver observer) {
    this.ticker = ticker;
    this.observer = observer;
  }

  /** The store failed; true if it had not before. */
  synchronized boolean begins() {
    long now = ticker.getAsLong();
    boolean first = !open;
    if (first) {
      open = true;
      number++;
      beganNanos = now;
      failures = 0;
    }
    lastFailureNanos = now;
    failures++;
    return first;
  }

  /** Which outage this is, or was the last; the first is 1. */
  int number() {
    return number;
  }

  void succeeded() {
    if (open) {
      ended().ifPresent(it -> observer.ended(it.length, it.failures));
    }
  }

  private synchronized Optional<Ended> ended() {
    if (!open || ticker.getAsLong() - lastFailureNanos < CALM_NANOS) {
      return Optional.empty();
    }
    open = false;
    return Optional.of(new Ended(Duration.ofNanos(lastFailureNanos - beganNanos), failures));
  }

  private record Ended(Duration length, long failures) {}
}
