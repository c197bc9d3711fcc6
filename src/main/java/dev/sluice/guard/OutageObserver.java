package dev.sluice.guard;

import java.time.Duration;

/**
 * Sees when a store stops answering and when it begins again. Its methods are called on any thread
 * and must not block or throw.
 */
public interface OutageObserver {
  /** The store stopped answering. */
  void began(Throwable cause);

  /** The store answers again, after so long and so many calls that it did not answer. */
  void ended(Duration length, long calls);
}
