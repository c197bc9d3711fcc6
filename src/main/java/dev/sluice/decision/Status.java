package dev.sluice.decision;

import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Verdict;
import dev.sluice.rule.Match;

/** What became of one descriptor. */
public sealed interface Status {
  /** Whether the descriptor lets the request pass, as far as it alone is concerned. */
  boolean isOk();

  /** No rule applies to it. */
  record Unmatched() implements Status {
    @Override
    public boolean isOk() {
      return true;
    }
  }

  /** Its rule allows everything. */
  record Unlimited(Match.Found match) implements Status {
    @Override
    public boolean isOk() {
      return true;
    }
  }

  /**
   * Its rule allows nothing.
   *
   * @param isOk whether it passes all the same: the rule is only watched, or units were given back
   */
  record Blocked(Match.Found match, Hits hits, boolean isOk) implements Status {}

  /**
   * A bucket decided it.
   *
   * @param limit that the bucket is held to
   * @param charge that was asked
   */
  record Decided(Match.Found match, Limit limit, Charge charge, Verdict verdict) implements Status {
    @Override
    public boolean isOk() {
      return verdict.conforms() || match.rule().conduct().shadow();
    }
  }
}
