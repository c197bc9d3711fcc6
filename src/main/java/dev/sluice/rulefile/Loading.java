package dev.sluice.rulefile;

import dev.sluice.rule.RuleBook;
import java.util.List;

/** What came of reading rule files. */
public sealed interface Loading {
  /** What has no effect in those that are good. */
  List<Warning> warnings();

  /** All of them are good. */
  record Loaded(RuleBook rules, List<Warning> warnings) implements Loading {}

  /** Something is wrong, and nothing is taken. */
  record Rejected(List<Problem> problems, List<Warning> warnings) implements Loading {}
}
