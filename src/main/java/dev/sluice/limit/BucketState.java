package dev.sluice.limit;

/**
 * What is kept of a bucket: the backlog that it had when it was last written, and the interval it
 * was written under.
 *
 * <p>The two together are its theoretical arrival time (TAT), the instant at which it is full
 * again. The interval makes a change of the limit harmless: the backlog is read as so many units
 * used, and means as many units under the new limit. What drained meanwhile counts at the kinder of
 * both rates, since nobody knows when the limit was changed. A bucket that was never in debt is
 * never read as being in debt, whatever happens to the limit or the clock.
 *
 * @param atMicros when it was written, since the epoch of 1970
 * @param backlog what it was then, in terms of the interval
 * @param interval of the limit it was written under
 * @param inDebt whether the backlog was longer than that limit's capacity
 */
public record BucketState(
    long atMicros, Micros backlog, EmissionInterval interval, boolean inDebt) {

  /** The state of a bucket that has this backlog now. */
  public static BucketState at(long nowMicros, Micros backlog, Limit limit) {
    return new BucketState(
        nowMicros, backlog, limit.interval(), backlog.longerThan(limit.capacity()));
  }

  /** The backlog at this instant under this limit: never longer than the limit allows it to be. */
  public Micros backlog(long nowMicros, Limit limit) {
    long left = theoreticalArrivalMicros() - nowMicros;
    if (left < 0) {
      return Micros.ZERO;
    }
    if (!interval.equals(limit.interval())) {
      long elapsed = Math.max(0, nowMicros - atMicros);
      Micros longest = inDebt ? limit.convertedSpan() : limit.capacity();
      return interval.convert(backlog, elapsed, limit.interval(), longest);
    }
    Micros now = new Micros(left, backlog.parts());
    Micros longest = inDebt ? limit.span() : limit.capacity();
    return now.longerThan(longest) ? longest : now;
  }

  /** The last whole microsecond at which the bucket is not full again. */
  public long theoreticalArrivalMicros() {
    return atMicros + backlog.whole();
  }

  /** Whether the other state, written at another time, says the same. */
  public boolean agreesWith(BucketState other) {
    return theoreticalArrivalMicros() == other.theoreticalArrivalMicros()
        && backlog.parts() == other.backlog.parts()
        && interval.equals(other.interval);
  }
}
