package dev.sluice.limit;

/**
 * The state of a bucket: the instant (TAT) at which it will be full again, and the interval it was
 * written under.
 *
 * <p>The interval makes a change of the limit harmless: the backlog is read as so many units used,
 * and means as many units under the new limit. A bucket that was never in debt is never read as
 * being in debt, whatever happens to the limit or the clock meanwhile.
 *
 * @param micros since the epoch of 1970, at least 0
 * @param parts of a microsecond, in terms of the interval's denominator
 * @param interval that the bucket was last charged under
 * @param inDebt whether the backlog was longer than the limit's capacity when it was written
 */
public record TheoreticalArrival(
    long micros, long parts, EmissionInterval interval, boolean inDebt) {

  /** The state that leaves this backlog at this instant under this limit. */
  public static TheoreticalArrival after(Micros backlog, long nowMicros, Limit limit) {
    return new TheoreticalArrival(
        nowMicros + backlog.whole(),
        backlog.parts(),
        limit.interval(),
        backlog.longerThan(limit.capacity()));
  }

  /** The backlog at this instant under this limit: never longer than the limit allows it to be. */
  public Micros backlog(long nowMicros, Limit limit) {
    if (micros < nowMicros) {
      return Micros.ZERO;
    }
    Micros backlog = new Micros(micros - nowMicros, parts);
    if (!interval.equals(limit.interval())) {
      return interval.convert(
          backlog, limit.interval(), inDebt ? limit.convertedSpan() : limit.capacity());
    }
    Micros longest = inDebt ? limit.span() : limit.capacity();
    return backlog.longerThan(longest) ? longest : backlog;
  }
}
