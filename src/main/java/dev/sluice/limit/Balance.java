package dev.sluice.limit;

/**
 * What a bucket holds once a charge is decided.
 *
 * @param remaining whole units that would conform now
 * @param resetAfter until the bucket is full, nothing when it is: its backlog, exactly
 * @param nextAfterMicros the least whole number of microseconds until {@code remaining} grows by
 *     one, 0 when the bucket is full
 * @param origin who says so
 */
public record Balance(long remaining, Micros resetAfter, long nextAfterMicros, Origin origin) {
  /** Where a balance comes from. */
  public enum Origin {
    /** The bucket. */
    BUCKET,
    /** What the bucket said a moment ago, when it denied. */
    REMEMBERED,
    /** Somebody who stood in for the store of the bucket, which was not asked. */
    ASSUMED
  }

  /** A balance of a bucket that was asked, and is full after a whole number of microseconds. */
  public Balance(long remaining, long resetAfterMicros, long nextAfterMicros) {
    this(remaining, new Micros(resetAfterMicros, 0), nextAfterMicros, Origin.BUCKET);
  }

  /** Whether the bucket itself was not asked: somebody stood in for its store. */
  public boolean assumed() {
    return origin == Origin.ASSUMED;
  }

  /** Whether the bucket was not asked again, since it had just denied. */
  public boolean remembered() {
    return origin == Origin.REMEMBERED;
  }

  /** About the same, where the bucket itself was not asked. It is told in whole microseconds. */
  public Balance asAssumed() {
    return assumed()
        ? this
        : new Balance(
            remaining, new Micros(resetAfterMicros(), 0), nextAfterMicros, Origin.ASSUMED);
  }

  /** The balance of a bucket with this backlog. */
  public static Balance of(Limit limit, Micros backlog) {
    return of(limit, backlog, Origin.BUCKET);
  }

  /** The balance of a bucket with this backlog, by whoever says so. */
  static Balance of(Limit limit, Micros backlog, Origin origin) {
    long remaining = Step.remaining(limit, backlog);
    long next = backlog.equals(Micros.ZERO) ? 0 : waitFor(limit, backlog, remaining + 1);
    return new Balance(remaining, backlog, next, origin);
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
    if (assumed()) {
      long units = Math.min(limit.burst(), remaining + taken);
      return new Balance(units, resetAfter, nextAfterMicros, Origin.ASSUMED);
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
