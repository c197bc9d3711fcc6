package dev.sluice.guard;

/**
 * Does something after a while, unless it is turned off. Thread-safe.
 *
 * <p>What has arrived by then has to be seen first, so that a process that is late itself does not
 * take others for late: where the alarm rings on the threads that read answers, it rings after they
 * have looked.
 */
@FunctionalInterface
public interface Alarm {
  /**
   * Sets an alarm. It may ring late by {@link TimeLimit#TICK}, and by as long as those threads have
   * other work; what it does must not block.
   *
   * @param nanos from now
   * @return turns it off; to do so after it has rung does nothing
   */
  Runnable set(long nanos, Runnable ring);
}
