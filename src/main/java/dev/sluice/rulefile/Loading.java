package dev.sluice.rulefile;

import dev.sluice.rule.RuleBook;
import java.util.List;
import java.util.Set;

/** What came of reading rule files. */
public sealed interface Loading {
  /** What has no effect in those that are good. */
  List<Warning> warnings();

  /** All of them are good. */
  record Loaded(RuleBook rules, List<Warning> warnings) implements Loading {}

  /**
   * Something is wrong, and the rest is taken.
   *
   * @param rules the good domains, and those that keep what they had
   * @param problems with the other domains
   * @param kept the domains that keep their last good rules
   * @param absent the domains that never had good ones
   */
  record Isolated(
      RuleBook rules,
      List<Problem> problems,
      Set<String> kept,
      Set<String> absent,
      List<Warning> warnings)
      implements Loading {}

  /** Something is wrong, and nothing is taken. */
  record Rejected(List<Problem> problems, List<Warning> warnings) implements Loading {}
}
