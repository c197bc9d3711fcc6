package dev.sluice.guard;

/** Does something after a while, on a thread of its own. Thread-safe. */
@FunctionalInterface
public interface Alarm {
  /**
   * Sets an alarm. It may ring late by {@link TimeLimit#TICK}; what it does must not block.
   *
   * @return turns it off; to do so after it has rung does nothing
   */
  Runnable set(long nanos, Runnable ring);
}
