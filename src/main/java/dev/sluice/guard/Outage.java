package dev.sluice.guard;

import java.time.Duration;
import java.util.concurrent.CompletionException;
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
  private final FallbackObserver observer;
  private volatile boolean open;

  /** Guarded by this, as are the two below. */
  private long beganNanos;

  private long lastFailureNanos;
  private long failures;

  Outage(LongSupplier ticker, FallbackObserver observer) {
    this.ticker = ticker;
    this.observer = observer;
  }

  void failed(Throwable error) {
    if (began()) {
      observer.began(
          error instanceof CompletionException && error.getCause() != null
              ? error.getCause()
              : error);
    }
  }

  private synchronized boolean began() {
    long now = ticker.getAsLong();
    boolean first = !open;
    if (first) {
      open = true;
      beganNanos = now;
      failures = 0;
    }
    lastFailureNanos = now;
    failures++;
    return first;
  }

  void succeeded() {
    if (open && calm()) {
      end();
    }
  }

  private synchronized boolean calm() {
    return ticker.getAsLong() - lastFailureNanos >= CALM_NANOS;
  }

  private void end() {
    Duration length;
    long decisions;
    synchronized (this) {
      if (!open) {
        return;
      }
      open = false;
      length = Duration.ofNanos(lastFailureNanos - beganNanos);
      decisions = failures;
    }
    observer.ended(length, decisions);
  }
}
