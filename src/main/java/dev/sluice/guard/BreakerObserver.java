package dev.sluice.guard;

/**
 * Sees when a store is left alone. Its methods are called on any thread, one after the other, and
 * must not block or throw.
 */
public interface BreakerObserver {
  /** The store failed so often that it is left alone; told once until it is well again. */
  void opened();

  /** The store is well again. */
  void closed();
}
