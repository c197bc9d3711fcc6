package dev.sluice.guard;

/**
 * Sees what becomes of requests whose buckets have several homes. Its method is called on any
 * thread and must not block or throw.
 */
public interface SpreadObserver {
  /** A part of a request took what another part did not let it keep, and gives it back. */
  void returned();
}
