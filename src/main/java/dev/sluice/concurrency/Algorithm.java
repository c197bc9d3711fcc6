package dev.sluice.concurrency;

/**
 * Finds out how many calls may be under way at one time.
 *
 * <p>It has no clock and no threads. Not thread-safe, but for {@link #limit} and {@link
 * #baseNanos}: whoever owns it calls the other methods one after the other.
 */
public interface Algorithm {
  /** The most calls that may be under way now, at least 1. May be asked from any thread. */
  int limit();

  /**
   * How long a call takes that waits for no other, in nanoseconds; 0 as long as that is not known.
   * May be asked from any thread.
   */
  long baseNanos();

  /**
   * A call has come to its end.
   *
   * @param nanos that it took
   * @param place how many calls were under way when it began, itself included
   * @param nowNanos when it ended, by any clock that does not run back
   */
  void took(long nanos, int place, long nowNanos);

  /**
   * What answers was away. Begins again, and carefully: with no more than before, since it may have
   * been slow and not away.
   */
  void restart();
}
