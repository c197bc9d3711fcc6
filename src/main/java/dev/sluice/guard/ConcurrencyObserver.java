package dev.sluice.guard;

import dev.sluice.bucket.Terms.Priority;

/**
 * Sees calls that a store was spared. Its method is called on any thread and must not block or
 * throw.
 */
@FunctionalInterface
public interface ConcurrencyObserver {
  /** A call was refused, since as many were under way as calls of its kind may fill. */
  void shed(Priority priority);
}
