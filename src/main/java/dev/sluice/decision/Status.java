package dev.sluice.decision;

import dev.sluice.limit.Limit;
import dev.sluice.limit.Verdict;
import dev.sluice.rule.Rule;

/** What became of one descriptor. */
public sealed interface Status {
  /** Whether the descriptor lets the request pass. */
  boolean isOk();

  /** No rule applies to it. */
  record Unmatched() implements Status {
    @Override
    public boolean isOk() {
      return true;
    }
  }

  /** Its rule allows everything. */
  record Unlimited(Rule rule) implements Status {
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
  record Blocked(Rule rule, boolean isOk) implements Status {}

  /** A bucket decided it. */
  record Decided(Rule rule, Limit limit, Verdict verdict) implements Status {
    @Override
    public boolean isOk() {
      return verdict.conforms() || rule.shadow();
    }
  }
}
