package dev.sluice.limit;

import java.math.BigInteger;

/**
 * The time T that one unit of a limit costs: {@code numerator / denominator} microseconds, in
 * lowest terms.
 *
 * @param numerator microseconds, at least 1
 * @param denominator at least 1, without a common divisor with the numerator
 */
public record EmissionInterval(long numerator, long denominator) {
  public EmissionInterval {
    if (numerator < 1 || denominator < 1 || gcd(numerator, denominator) != 1) {
      throw new IllegalArgumentException(
          numerator
              + "/"
              + denominator
              + " is not an emission interval (expected a positive fraction in lowest terms)");
    }
  }

  /** The interval at which {@code units} fit into the window evenly. Both are at least 1. */
  public static EmissionInterval of(long windowMicros, long units) {
    long divisor = gcd(windowMicros, units);
    return new EmissionInterval(windowMicros / divisor, units / divisor);
  }

  /** What that many units (at least 0) cost, exactly. The result must fit into a long. */
  public Micros times(long units) {
    return new Micros(
        WideMath.multiplyDivide(units, numerator, 0, denominator),
        WideMath.multiplyRemainder(units, numerator, 0, denominator));
  }

  /** How many whole units the duration pays for. */
  public long unitsIn(Micros duration) {
    return WideMath.multiplyDivide(duration.whole(), denominator, duration.parts(), numerator);
  }

  /**
   * A backlog of this interval that was written so long ago, in terms of another interval: it
   * stands for as many units, less what drained meanwhile at the kinder of both rates. Rounded up,
   * and cut to the bound.
   */
  Micros convert(Micros backlog, long elapsedMicros, EmissionInterval to, Micros bound) {
    BigInteger own = big(numerator).multiply(big(to.denominator));
    BigInteger others = big(to.numerator).multiply(big(denominator));
    BigInteger units = big(backlog.whole()).multiply(big(denominator)).add(big(backlog.parts()));
    // The ratio of the intervals is others / own, so everything is whole once it is multiplied by
    // own.
    BigInteger drained = big(elapsedMicros).multiply(own.max(others));
    BigInteger left = units.multiply(big(to.numerator)).subtract(drained).max(BigInteger.ZERO);
    BigInteger parts = ceilingOf(left.multiply(big(to.denominator)), own);
    BigInteger[] split = parts.divideAndRemainder(big(to.denominator));
    boolean fits = split[0].bitLength() < Long.SIZE;
    Micros converted = fits ? new Micros(split[0].longValue(), split[1].longValue()) : bound;
    return converted.longerThan(bound) ? bound : converted;
  }

  private static BigInteger ceilingOf(BigInteger dividend, BigInteger divisor) {
    return dividend.add(divisor).subtract(BigInteger.ONE).divide(divisor);
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }

  private static long gcd(long a, long b) {
    long x = a;
    long y = b;
    while (y != 0) {
      long rest = x % y;
      x = y;
      y = rest;
    }
    return x;
  }
}
