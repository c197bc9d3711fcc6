package dev.sluice.redis;

/** Sees how fast Redis is. Its method is called on event loops and must not block or throw. */
@FunctionalInterface
public interface RedisObserver {
  /**
   * Redis answered a call; perhaps after its callers had been answered.
   *
   * @param requests how many the call decided, at least 1
   * @param nanos since it was made
   */
  void answered(int requests, long nanos);
}
