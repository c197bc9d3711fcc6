package dev.sluice.guard;

import java.time.Duration;

/**
 * Sees when a store is stood in for. Its methods are called on any thread and must not block or
 * throw.
 */
public interface FallbackObserver {
  /** A group of charges was decided by the stand-in. */
  void stoodIn();

  /** The store stopped answering. */
  void began(Throwable cause);

  /** The store answers again, after so long and so many decisions by the stand-in. */
  void ended(Duration length, long decisions);
}
