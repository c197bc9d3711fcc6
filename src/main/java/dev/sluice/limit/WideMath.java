package dev.sluice.limit;

import java.math.BigInteger;

/**
 * Products of two longs that may not fit into one, divided again.
 *
 * <p>The usual limits never leave the fast path; only odd ones over long periods (a prime number of
 * units a year) do.
 */
final class WideMath {
  private WideMath() {}

  /** floor((a * b + plus) / divisor), for arguments of at least 0 whose result fits into a long. */
  static long multiplyDivide(long a, long b, long plus, long divisor) {
    if (fits(a, b, plus)) {
      return (a * b + plus) / divisor;
    }
    return wide(a, b, plus).divide(BigInteger.valueOf(divisor)).longValueExact();
  }

  /** (a * b + plus) mod divisor, for arguments of at least 0. */
  static long multiplyRemainder(long a, long b, long plus, long divisor) {
    if (fits(a, b, plus)) {
      return (a * b + plus) % divisor;
    }
    return wide(a, b, plus).mod(BigInteger.valueOf(divisor)).longValueExact();
  }

  private static boolean fits(long a, long b, long plus) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 && a * b <= Long.MAX_VALUE - plus;
  }

  private static BigInteger wide(long a, long b, long plus) {
    return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).add(BigInteger.valueOf(plus));
  }
}
