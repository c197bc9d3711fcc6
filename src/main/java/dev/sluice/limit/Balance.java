package dev.sluice.limit;

/**
 * What a bucket holds once a charge is decided. All waits are the least whole number of
 * microseconds that is enough.
 *
 * @param remaining whole units that would conform now
 * @param resetAfterMicros until the bucket is full, 0 when it is
 * @param nextAfterMicros until {@code remaining} grows by one, 0 when the bucket is full
 */
public record Balance(long remaining, long resetAfterMicros, long nextAfterMicros) {

  /** The balance of a bucket with this backlog. */
  public static Balance of(Limit limit, Micros backlog) {
    long remaining = Step.remaining(limit, backlog);
    if (backlog.equals(Micros.ZERO)) {
      return new Balance(remaining, 0, 0);
    }
    return new Balance(remaining, backlog.roundedUp(), waitFor(limit, backlog, remaining + 1));
  }

  /** How long until that many units (at most a burst) conform, if nothing else happens. */
  static long waitFor(Limit limit, Micros backlog, long units) {
    long denominator = limit.interval().denominator();
    Micros wanted = backlog.plus(limit.interval().times(units), denominator);
    return wanted.minus(limit.capacity(), denominator).roundedUp();
  }
}
