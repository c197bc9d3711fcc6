package dev.sluice.rulefile;

import dev.sluice.rule.RuleBook;
import java.util.List;

/**
 * Sees what becomes of rule files. Its methods are called by the thread that read them and must not
 * throw.
 */
public interface RuleObserver {
  /**
   * A set was good, and comes into force next. Requests are decided by the one before meanwhile.
   */
  default void accepted(RuleBook rules) {}

  /** A set was good, and is in force. */
  void loaded(RuleBook rules);

  /** A set was refused; what was in force before still is. */
  void rejected(List<Problem> problems);
}
