package dev.sluice.envoy;

import dev.sluice.decision.Status;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import java.util.OptionalLong;

/**
 * How one limit stands, in the numbers that callers are told: whole units, and whole seconds
 * rounded up, since who waits for less comes too early.
 *
 * @param rule that the limit comes of
 * @param requests units a period
 * @param period that the requests are counted over
 * @param burst how many units may come at once
 * @param remaining whole units that are left; 0 where the limit is exceeded
 * @param resetSeconds until all units are there again
 * @param waitSeconds where the limit is exceeded, until the same would conform; else until more
 *     units remain; absent where that never happens
 */
record Standing(
    Rule rule,
    long requests,
    Period period,
    long burst,
    long remaining,
    long resetSeconds,
    OptionalLong waitSeconds) {
  /** Longer than any wait. */
  static final long NEVER = Long.MAX_VALUE;

  private static final long MICROS_PER_SECOND = 1_000_000;

  static Standing of(Status.Decided status) {
    Limit limit = status.limit();
    Verdict verdict = status.verdict();
    return new Standing(
        status.match().rule(),
        limit.requests(),
        limit.period(),
        limit.burst(),
        verdict.conforms() ? Math.min(verdict.balance().remaining(), Limit.MAX_REQUESTS) : 0,
        wholeSeconds(verdict.balance().resetAfterMicros()),
        wait(verdict));
  }

  static Standing of(Status.Blocked status) {
    Rule rule = status.match().rule();
    Period period = ((RateLimit.Blocked) rule.rateLimit()).period();
    return new Standing(rule, 0, period, 0, 0, period.seconds(), OptionalLong.empty());
  }

  /**
   * How long until a charge that did not conform would, in microseconds; for units that are
   * recorded already, until one more would.
   */
  static long waitMicros(Verdict verdict) {
    if (verdict instanceof Verdict.Denied denied) {
      return denied.retryAfterMicros();
    }
    return verdict instanceof Verdict.Impossible ? NEVER : verdict.balance().nextAfterMicros();
  }

  static long wholeSeconds(long micros) {
    return (micros + MICROS_PER_SECOND - 1) / MICROS_PER_SECOND;
  }

  private static OptionalLong wait(Verdict verdict) {
    long wait = waitMicros(verdict);
    return wait == 0 || wait == NEVER ? OptionalLong.empty() : OptionalLong.of(wholeSeconds(wait));
  }
}
