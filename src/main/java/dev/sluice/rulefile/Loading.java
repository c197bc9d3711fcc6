package dev.sluice.rulefile;

import dev.sluice.rule.RuleBook;
import java.util.List;

/** What came of reading rule files. */
public sealed interface Loading {
  /** All of them are good. */
  record Loaded(RuleBook rules) implements Loading {}

  /** Something is wrong, and nothing is taken. */
  record Rejected(List<Problem> problems) implements Loading {}
}
