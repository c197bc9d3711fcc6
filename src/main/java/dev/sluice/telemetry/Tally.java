package dev.sluice.telemetry;

import dev.sluice.decision.Hits;
import dev.sluice.decision.Status;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Verdict;

/**
 * What one descriptor adds to the counters that the reference server keeps of a rule. Units that
 * are looked at or given back add nothing.
 *
 * <p>Its terms are <em>before</em> and <em>after</em>: the units used of the bucket, as {@code
 * limit_remaining} tells them. A bucket does not take what does not fit, so hits are within the
 * limit or over it as a whole.
 *
 * @param hits all of them
 * @param within those that fitted
 * @param over those that did not
 * @param near those that fitted beyond the near limit
 * @param cached those that did not, as was known without asking Redis
 * @param shadow those that did not, under a rule that is only watched
 */
record Tally(double hits, double within, double over, double near, double cached, double shadow) {
  static final Tally NOTHING = new Tally(0, 0, 0, 0, 0, 0);

  /**
   * What a status adds.
   *
   * @param nearRatio the part of the bucket from which on hits are near the limit
   */
  static Tally of(Status status, float nearRatio) {
    if (status instanceof Status.Decided decided) {
      return of(decided, units(decided.charge()), nearRatio);
    }
    if (status instanceof Status.Blocked blocked) {
      return over(units(blocked.hits()), false, blocked.match().rule().conduct().shadow());
    }
    return NOTHING;
  }

  private static Tally of(Status.Decided decided, long units, float nearRatio) {
    if (units == 0) {
      return NOTHING;
    }
    if (!decided.verdict().conforms()) {
      boolean cached = decided.verdict().balance().remembered();
      return over(units, cached, decided.match().rule().conduct().shadow());
    }
    long burst = decided.limit().burst();
    long near = nearLimit(burst, nearRatio);
    long used = burst - decided.verdict().balance().remaining();
    long before = taken(decided.verdict()) ? Math.max(0, used - units) : used;
    long after = before + units;
    double fitting = (double) units;
    double beyond = (double) Math.max(0, after - Math.max(near, before));
    return new Tally(fitting, fitting, 0, beyond, 0, 0);
  }

  private static Tally over(long hits, boolean cached, boolean shadow) {
    double units = (double) hits;
    return new Tally(units, 0, units, 0, cached ? units : 0, shadow ? units : 0);
  }

  /** Both together. */
  Tally plus(Tally other) {
    return new Tally(
        hits + other.hits,
        within + other.within,
        over + other.over,
        near + other.near,
        cached + other.cached,
        shadow + other.shadow);
  }

  /** What there is beyond an earlier one. */
  Tally minus(Tally earlier) {
    return new Tally(
        hits - earlier.hits,
        within - earlier.within,
        over - earlier.over,
        near - earlier.near,
        cached - earlier.cached,
        shadow - earlier.shadow);
  }

  /** The reference server multiplies in single precision, and so do we: 0.8 of 10 is 8. */
  static long nearLimit(long burst, float nearRatio) {
    return (long) Math.floor((float) burst * nearRatio);
  }

  /** Whether the balance is that after the charge; else another descriptor denied the request. */
  private static boolean taken(Verdict verdict) {
    return !(verdict instanceof Verdict.Allowed allowed) || allowed.granted() != 0;
  }

  private static long units(Charge charge) {
    return charge instanceof Charge.Take || charge instanceof Charge.Force ? charge.units() : 0;
  }

  private static long units(Hits hits) {
    if (hits instanceof Hits.Asked asked) {
      return asked.units();
    }
    return hits instanceof Hits.Reported reported ? reported.units() : 0;
  }
}
