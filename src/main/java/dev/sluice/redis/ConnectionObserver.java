package dev.sluice.redis;

/** Sees connections to Redis. Its methods are called on event loops and must not block or throw. */
public interface ConnectionObserver {
  /** One was made, or made again. */
  void opened();

  /** One that had been made is no more. */
  void closed();
}
