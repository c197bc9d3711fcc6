package dev.sluice.rule;

import java.util.List;

/** What a descriptor finds in a rule book. */
public sealed interface Match {
  /** There are no rules for the domain. */
  record UnknownDomain() implements Match {}

  /** The domain has no rule for the descriptor. */
  record NoRule() implements Match {}

  /**
   * A rule.
   *
   * @param rule the rule
   * @param bucketEntries the entries that name the bucket: the descriptor's, with a pattern for
   *     each that shares
   * @param label what its metrics are kept under, one name for each level
   */
  record Found(Rule rule, List<Entry> bucketEntries, List<String> label) implements Match {}
}
