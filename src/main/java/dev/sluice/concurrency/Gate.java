package dev.sluice.concurrency;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets as many calls through at one time as an algorithm says, and refuses the others at once.
 *
 * <p>Who was let through holds a permit until the call has really ended. Thread-safe: permits are
 * one counter that is compared and set, so there are never too many. The algorithm has a lock that
 * nobody who leaves waits for: whose time comes while another one is being looked at, is not.
 */
public final class Gate {
  private final Algorithm algorithm;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger underWay = new AtomicInteger();

  public Gate(Algorithm algorithm) {
    this.algorithm = algorithm;
  }

  /**
   * Asks for a permit.
   *
   * @param share of the limit that such calls may fill, from 0 to 1; one permit is never too much
   * @return how many calls are under way now, this one included; 0 if it is refused
   */
  public int enter(double share) {
    int most = Math.max(1, (int) (algorithm.limit() * share));
    int before = underWay.get();
    while (before < most) {
      if (underWay.compareAndSet(before, before + 1)) {
        return before + 1;
      }
      before = underWay.get();
    }
    return 0;
  }

  /**
   * Gives the permit of a call back that was answered, or given up for its time.
   *
   * @param place what {@link #enter} said to it
   * @param nanos that it took
   * @param nowNanos when it ended
   */
  public void leave(int place, long nanos, long nowNanos) {
    underWay.decrementAndGet();
    if (lock.tryLock()) {
      try {
        algorithm.took(nanos, place, nowNanos);
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Gives the permit of a call back whose time says nothing, such as one that could not be made.
   */
  public void leave() {
    underWay.decrementAndGet();
  }

  /** What answers was away and is back. */
  public void restart() {
    lock.lock();
    try {
      algorithm.restart();
    } finally {
      lock.unlock();
    }
  }

  /** The most calls that may be under way. */
  public int limit() {
    return algorithm.limit();
  }

  /** The calls that are under way. */
  public int underWay() {
    return underWay.get();
  }

  /** How long a call takes that waits for no other, in nanoseconds; 0 while that is not known. */
  public long baseNanos() {
    return algorithm.baseNanos();
  }
}
