package dev.sluice.limit;

/**
 * One charge judged against one backlog.
 *
 * @param conforms whether the charge fits into the bucket as it is
 * @param granted how many units it takes (less than 0: gives back) where it is carried out
 * @param backlog what the bucket's backlog is once it has been carried out
 */
public record Step(boolean conforms, long granted, Micros backlog) {

  /** Judges a charge. Equality conforms: exactly {@code burst} units fit into a full bucket. */
  public static Step of(Limit limit, Micros backlog, Charge charge) {
    long units = charge.units();
    boolean fits = fits(limit, backlog, units);
    if (charge instanceof Charge.Take) {
      return new Step(fits, units, fits ? plus(limit, backlog, units) : backlog);
    }
    if (charge instanceof Charge.Look) {
      return new Step(fits, 0, backlog);
    }
    if (charge instanceof Charge.UpTo upTo) {
      long granted = upTo.of(remaining(limit, backlog));
      return new Step(granted > 0, granted, plus(limit, backlog, granted));
    }
    long most = Math.min(units, limit.burst() + limit.debt());
    if (charge instanceof Charge.Give) {
      Micros given = limit.interval().times(most);
      return new Step(true, -most, backlog.minus(given, limit.interval().denominator()));
    }
    Micros forced = plus(limit, backlog, most);
    Micros bounded = forced.longerThan(limit.span()) ? limit.span() : forced;
    return new Step(fits, units, bounded);
  }

  /** How many whole units of the capacity are left; in numbers, like {@link Balance#waitFor}. */
  static long remaining(Limit limit, Micros backlog) {
    EmissionInterval interval = limit.interval();
    long whole = limit.capacity().whole() - backlog.whole();
    long parts = limit.capacity().parts() - backlog.parts();
    if (parts < 0) {
      whole--;
      parts += interval.denominator();
    }
    return whole < 0
        ? 0
        : WideMath.multiplyDivide(whole, interval.denominator(), parts, interval.numerator());
  }

  private static boolean fits(Limit limit, Micros backlog, long units) {
    return units <= limit.burst() && !plus(limit, backlog, units).longerThan(limit.capacity());
  }

  private static Micros plus(Limit limit, Micros backlog, long units) {
    return backlog.plus(limit.interval().times(units), limit.interval().denominator());
  }
}
