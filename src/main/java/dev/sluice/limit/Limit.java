package dev.sluice.limit;

import java.util.Objects;

/**
 * How much a bucket lets through: a rate of {@code requests} units a period, a burst that may come
 * at once, and a debt that reports of spent units may run into.
 *
 * <p>Immutable. What the arithmetic needs of it is worked out once, here. The algorithm is the
 * generic cell rate algorithm of ITU-T I.371 with whole units of any cost; RATIONALE.md, "Exact
 * arithmetic", says why the longest backlog is bounded: every number of the Redis script stays
 * below 2^53.
 */
public final class Limit {
  /** The most that {@code requests} may be: what the protocol's uint32 carries. */
  public static final long MAX_REQUESTS = 0xFFFF_FFFFL;

  /** The most servers that a limit may be shared among. */
  public static final int MAX_SERVERS = 100_000;

  private static final long MAX_BACKLOG_MICROS = 1L << 50;

  private final long requests;
  private final Period period;
  private final long burst;
  private final long debt;
  private final EmissionInterval interval;
  private final Micros capacity;
  private final Micros span;
  private final Micros convertedSpan;
  private final int hash;

  private Limit(long requests, Period period, long burst, long debt, EmissionInterval interval) {
    this.requests = requests;
    this.period = period;
    this.burst = burst;
    this.debt = debt;
    this.interval = interval;
    capacity = interval.times(burst);
    span = interval.times(burst + debt);
    Micros window = capacity.plus(interval.times(requests - 1), interval.denominator());
    convertedSpan = window.longerThan(span) ? span : new Micros(window.whole(), 0);
    hash = Objects.hash(requests, period, burst, debt);
  }

  /**
   * A limit whose burst is one period's worth and whose debt is one burst, or what of it the
   * longest backlog leaves.
   *
   * @throws IllegalArgumentException unless requests is from 1 to {@link #MAX_REQUESTS}
   */
  public static Limit of(long requests, Period period) {
    return of(requests, period, requests);
  }

  /**
   * A limit with a burst of its own; its debt is one burst, or what of it the longest backlog
   * leaves.
   *
   * @throws IllegalArgumentException unless both numbers are from 1 to {@link #MAX_REQUESTS} and
   *     the burst takes at most 2^50 microseconds (35.7 years) to drain
   */
  public static Limit of(long requests, Period period, long burst) {
    check("requests_per_unit", requests, 1);
    return of(
        requests, period, burst, Math.max(0, Math.min(burst, mostUnits(requests, period) - burst)));
  }

  /**
   * A limit with a burst and a debt of its own.
   *
   * @throws IllegalArgumentException unless requests and burst are from 1, and debt from 0, to
   *     {@link #MAX_REQUESTS}, and burst and debt together take at most 2^50 microseconds (35.7
   *     years) to drain
   */
  public static Limit of(long requests, Period period, long burst, long debt) {
    check("requests_per_unit", requests, 1);
    check("burst", burst, 1);
    check("debt", debt, 0);
    long most = mostUnits(requests, period);
    if (burst + debt > most) {
      throw new IllegalArgumentException(
          String.format(
              "burst %d and debt %d at %d per %s take longer than 35 years to drain (expected at most %d together)",
              burst, debt, requests, period.name().toLowerCase(java.util.Locale.ROOT), most));
    }
    return new Limit(requests, period, burst, debt, EmissionInterval.of(period.micros(), requests));
  }

  /**
   * The part of this limit that one of so many servers may hand out without asking the others: a
   * unit costs as many times the time, and burst and debt are divided, rounded down, the burst to
   * at least 1.
   *
   * <p>From full buckets, all of them together let no more pass at one instant than the burst, or
   * one unit each where there are more servers than units; and in the long run no more than {@code
   * requests} units a period. A unit never costs more than 2^50 microseconds (35.7 years): where it
   * would, the servers count as fewer.
   *
   * @throws IllegalArgumentException unless servers is from 1 to {@link #MAX_SERVERS}
   */
  public Limit share(int servers) {
    if (servers < 1 || servers > MAX_SERVERS) {
      throw new IllegalArgumentException(
          String.format("%d servers (expected 1 to %d)", servers, MAX_SERVERS));
    }
    if (servers == 1) {
      return this;
    }
    long times = Math.min(servers, mostUnits(requests, period));
    EmissionInterval longer = EmissionInterval.of(period.micros() * times, requests);
    long size = Math.max(1, burst / servers);
    long most = longer.unitsIn(new Micros(MAX_BACKLOG_MICROS, 0));
    return new Limit(requests, period, size, Math.min(debt / servers, most - size), longer);
  }

  private static void check(String name, long value, long least) {
    if (value < least || value > MAX_REQUESTS) {
      throw new IllegalArgumentException(
          String.format(
              "%s is %d (expected a whole number from %d to %d)",
              name, value, least, MAX_REQUESTS));
    }
  }

  private static long mostUnits(long requests, Period period) {
    return WideMath.multiplyDivide(MAX_BACKLOG_MICROS, requests, 0, period.micros());
  }

  /** Units a period: L. Of a share, what all servers together let pass. */
  public long requests() {
    return requests;
  }

  /** The period that the requests are counted over: W. */
  public Period period() {
    return period;
  }

  /** How many units conform at one instant when the bucket is full: B. */
  public long burst() {
    return burst;
  }

  /** How many units beyond the burst a report may charge: Q. */
  public long debt() {
    return debt;
  }

  /** What one unit costs: T. */
  public EmissionInterval interval() {
    return interval;
  }

  /** The backlog of an empty bucket: B * T. */
  public Micros capacity() {
    return capacity;
  }

  /** The longest backlog of a bucket in debt: (B + Q) * T. */
  public Micros span() {
    return span;
  }

  /**
   * The longest backlog that a bucket in debt may bring along from another limit: one that leaves a
   * caller waiting for no longer than one period.
   */
  public Micros convertedSpan() {
    return convertedSpan;
  }

  @Override
  public boolean equals(Object other) {
    return this == other || (other instanceof Limit that && saysTheSame(that));
  }

  private boolean saysTheSame(Limit that) {
    return requests == that.requests
        && period == that.period
        && burst == that.burst
        && debt == that.debt
        && interval.numerator() == that.interval.numerator()
        && interval.denominator() == that.interval.denominator();
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return requests + "/" + period + " burst " + burst + " debt " + debt;
  }
}
