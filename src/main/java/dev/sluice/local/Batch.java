package dev.sluice.local;

import dev.sluice.limit.Limit;

/**
 * Units of one grant, which live until one instant. Guarded by the lock of their lease.
 *
 * <p>What is left at the end is called back, and never spent.
 */
final class Batch {
  /** How long units may be held, from the moment at which they were asked for. */
  static final long LIFE_NANOS = 2_000_000_000L;

  private final Limit limit;
  private final long endNanos;
  private long units;
  private boolean called;

  Batch(Limit limit, long units, long askedNanos) {
    this.limit = limit;
    this.units = units;
    this.endNanos = askedNanos + LIFE_NANOS;
  }

  /** The limit that the units were charged by. */
  Limit limit() {
    return limit;
  }

  /** Whether its end has come; needs no lock. */
  boolean hasEnded(long nowNanos) {
    return nowNanos - endNanos >= 0;
  }

  /** How many units may be spent now. */
  long spendable(long nowNanos) {
    return called || hasEnded(nowNanos) ? 0 : units;
  }

  /** Spends at most so many units; tells how many. */
  long spend(long wanted, long nowNanos) {
    long spent = Math.min(wanted, spendable(nowNanos));
    units -= spent;
    return spent;
  }

  /** Takes what is left out of circulation, for good, and tells how many units that is. */
  long callBack() {
    long left = units;
    units = 0;
    called = true;
    return left;
  }
}
