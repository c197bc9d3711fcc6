package dev.sluice.local;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Micros;
import dev.sluice.limit.Verdict;
import java.time.Duration;

/**
 * What a store's denial says of later charges on the same bucket.
 *
 * <p>A bucket drains at its limit's rate and no faster, so what did not conform does not conform
 * until its wait is over, and neither does a larger charge. Whether that still holds is counted
 * from when the store was asked, and what the bucket holds from when it had answered: so a denial
 * never lasts longer than at the store, and never tells a wait that is too short. Immutable.
 *
 * @param limit that the charge was judged by
 * @param units that did not conform
 * @param backlog of the bucket then
 * @param askedNanos when the store was asked
 * @param answeredNanos when it had answered
 * @param hold how long the denial is certain, and how long it is kept up
 */
record Denial(
    Limit limit, long units, Micros backlog, long askedNanos, long answeredNanos, Hold hold) {
  /** After this long the store is asked again, whatever it said: it may know of a gift by then. */
  static final Duration LONGEST = Duration.ofSeconds(1);

  private static final long NANOS_PER_MICRO = 1_000;
  private static final long LONGEST_MICROS = LONGEST.toMillis() * 1_000;

  /**
   * How long a denial is answered again.
   *
   * @param certainNanos while the store would deny as well
   * @param pacedNanos while it is not asked, even where it might allow; at least as long
   */
  record Hold(long certainNanos, long pacedNanos) {}

  /** What a verdict that does not conform says. */
  static Denial of(
      BucketCharge charge, Verdict verdict, long askedNanos, long answeredNanos, long paceNanos) {
    long retryMicros =
        verdict instanceof Verdict.Denied denied ? denied.retryAfterMicros() : LONGEST_MICROS;
    long certain = Math.min(retryMicros, LONGEST_MICROS) * NANOS_PER_MICRO;
    return new Denial(
        charge.limit(),
        units(charge.charge()),
        verdict.balance().resetAfter(),
        askedNanos,
        answeredNanos,
        new Hold(certain, Math.max(certain, paceNanos)));
  }

  /** Whether it tells that this charge, too, does not conform now. */
  boolean covers(BucketCharge charge, long nowNanos) {
    return leftNanos(charge.charge(), nowNanos) > 0
        && units(charge.charge()) >= units
        && limit.equals(charge.limit());
  }

  /** The verdict on a charge that it covers. */
  Verdict verdict(Charge charge, long nowNanos) {
    long drainedMicros = Math.max(0, nowNanos - answeredNanos) / NANOS_PER_MICRO;
    Micros now = backlog.minus(new Micros(drainedMicros, 0), limit.interval().denominator());
    Verdict verdict = Verdict.remembered(limit, charge, now);
    long leftMicros = (leftNanos(charge, nowNanos) + NANOS_PER_MICRO - 1) / NANOS_PER_MICRO;
    return verdict instanceof Verdict.Denied denied && denied.retryAfterMicros() < leftMicros
        ? new Verdict.Denied(leftMicros, denied.balance())
        : verdict;
  }

  private long leftNanos(Charge charge, long nowNanos) {
    long kept = charge instanceof Charge.Look ? hold.certainNanos : hold.pacedNanos;
    return kept - (nowNanos - askedNanos);
  }

  private static long units(Charge charge) {
    return charge instanceof Charge.UpTo ? 1 : charge.units();
  }
}
