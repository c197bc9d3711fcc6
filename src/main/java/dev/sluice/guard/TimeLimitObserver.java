package dev.sluice.guard;

/**
 * Sees answers that nobody waited for any more. Its method is called on any thread and must not
 * block or throw.
 */
@FunctionalInterface
public interface TimeLimitObserver {
  /** A store answered a call whose caller had been told that it did not. */
  void cameLate();
}
