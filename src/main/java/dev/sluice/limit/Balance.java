package dev.sluice.limit;

/**
 * What a bucket holds once a charge is decided.
 *
 * @param remaining whole units that would conform now
 * @param resetAfter until the bucket is full, nothing when it is: its backlog, exactly
 * @param nextAfterMicros the least whole number of microseconds until {@code remaining} grows by
 *     one, 0 when the bucket is full
 * @param assumed whether the bucket itself was not asked: somebody stood in for its store
 */
public record Balance(long remaining, Micros resetAfter, long nextAfterMicros, boolean assumed) {
  /** A balance of a bucket that was asked, and is full after a whole number of microseconds. */
  public Balance(long remaining, long resetAfterMicros, long nextAfterMicros) {
    this(remaining, new Micros(resetAfterMicros, 0), nextAfterMicros, false);
  }

  /** About the same, where the bucket itself was not asked. It is told in whole microseconds. */
  public Balance asAssumed() {
    return assumed
        ? this
        : new Balance(remaining, new Micros(resetAfterMicros(), 0), nextAfterMicros, true);
  }

  /** The balance of a bucket with this backlog. */
  public static Balance of(Limit limit, Micros backlog) {
    long remaining = Step.remaining(limit, backlog);
    if (backlog.equals(Micros.ZERO)) {
      return new Balance(remaining, 0, 0);
    }
    return new Balance(remaining, backlog, waitFor(limit, backlog, remaining + 1), false);
  }

  /** The least whole number of microseconds until the bucket is full, 0 when it is. */
  public long resetAfterMicros() {
    return resetAfter.roundedUp();
  }

  /**
   * The balance if so many units had not been taken; what a bucket holds once they are given back.
   *
   * @param limit that the balance is of
   * @param taken at least 0
   */
  public Balance without(Limit limit, long taken) {
    if (assumed) {
      long units = Math.min(limit.burst(), remaining + taken);
      return new Balance(units, resetAfter, nextAfterMicros, true);
    }
    Micros given = limit.interval().times(Math.min(taken, limit.burst() + limit.debt()));
    return of(limit, resetAfter.minus(given, limit.interval().denominator()));
  }

  /** How long until that many units (at most a burst) conform, if nothing else happens. */
  static long waitFor(Limit limit, Micros backlog, long units) {
    EmissionInterval interval = limit.interval();
    long denominator = interval.denominator();
    long cost = WideMath.multiplyDivide(units, interval.numerator(), 0, denominator);
    long rest = WideMath.multiplyRemainder(units, interval.numerator(), 0, denominator);
    // In numbers, since a duration is an object and this is worked out for every verdict.
    long whole = backlog.whole() + cost - limit.capacity().whole();
    long parts = backlog.parts() + rest - limit.capacity().parts();
    return Math.max(0, whole - Math.floorDiv(-parts, denominator));
  }
}
