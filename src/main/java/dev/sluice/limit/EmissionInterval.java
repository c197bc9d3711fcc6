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
   * A duration of this interval in terms of another one, such that it stands for as many units:
   * rounded up to a whole microsecond, and cut to the bound.
   */
  Micros convert(Micros duration, EmissionInterval to, Micros bound) {
    BigInteger parts =
        big(duration.whole())
            .multiply(big(denominator))
            .add(big(duration.parts()))
            .multiply(big(to.numerator));
    BigInteger divisor = big(numerator).multiply(big(to.denominator));
    BigInteger whole = parts.add(divisor).subtract(BigInteger.ONE).divide(divisor);
    return whole.compareTo(big(bound.roundedUp())) >= 0
        ? bound
        : new Micros(whole.longValueExact(), 0);
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
