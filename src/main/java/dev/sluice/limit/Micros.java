package dev.sluice.limit;

/**
 * A duration of {@code whole + parts / d} microseconds, exact, where d is the denominator of the
 * {@link EmissionInterval} that it belongs to.
 *
 * <p>Two durations of different intervals must not be mixed; {@link BucketState} converts.
 *
 * @param whole microseconds, at least 0
 * @param parts of a microsecond, from 0 to d - 1
 */
public record Micros(long whole, long parts) implements Comparable<Micros> {
  /** No time at all, in every denominator. */
  public static final Micros ZERO = new Micros(0, 0);

  public Micros {
    if (whole < 0 || parts < 0) {
      throw new IllegalArgumentException(
          whole + ":" + parts + " is not a duration (expected two numbers from 0)");
    }
  }

  /** This and the other of the same denominator. */
  public Micros plus(Micros other, long denominator) {
    long sum = parts + other.parts;
    return sum < denominator
        ? new Micros(whole + other.whole, sum)
        : new Micros(whole + other.whole + 1, sum - denominator);
  }

  /** This less the other of the same denominator, or nothing where the other is longer. */
  public Micros minus(Micros other, long denominator) {
    if (compareTo(other) <= 0) {
      return ZERO;
    }
    long difference = parts - other.parts;
    return difference >= 0
        ? new Micros(whole - other.whole, difference)
        : new Micros(whole - other.whole - 1, difference + denominator);
  }

  boolean longerThan(Micros other) {
    return compareTo(other) > 0;
  }

  /** The least whole number of microseconds that is not shorter. */
  public long roundedUp() {
    return parts == 0 ? whole : whole + 1;
  }

  @Override
  public int compareTo(Micros other) {
    int order = Long.compare(whole, other.whole);
    return order != 0 ? order : Long.compare(parts, other.parts);
  }
}
