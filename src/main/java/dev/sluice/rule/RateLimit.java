package dev.sluice.rule;

import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;

/** What a rule allows. */
public sealed interface RateLimit {
  /** Everything, without asking a bucket. */
  record Unlimited() implements RateLimit {}

  /**
   * Nothing: a limit of 0.
   *
   * @param period that the 0 was written for
   */
  record Blocked(Period period) implements RateLimit {}

  /** What its bucket holds. */
  record Limited(Limit limit) implements RateLimit {}
}
