package dev.sluice.redis;

/** Sees how fast Redis is. Its method is called on event loops and must not block or throw. */
@FunctionalInterface
public interface RedisObserver {
  /**
   * Redis answered, in this many nanoseconds since the call was made; perhaps after its caller had
   * been answered.
   */
  void answered(long nanos);
}
