package dev.sluice.rulefile;

import dev.sluice.rule.RuleBook;

/**
 * Sees what becomes of rule files. Its methods are called by the thread that read them and must not
 * throw.
 */
public interface RuleObserver {
  /**
   * A set was good, at least in part, and comes into force next. Requests are decided by the one
   * before meanwhile.
   */
  default void accepted(RuleBook rules) {}

  /** A set was good, and is in force. */
  void loaded(Loading.Loaded loading);

  /** A set was good in part, and that part is in force. */
  void isolated(Loading.Isolated loading);

  /** A set was refused; what was in force before still is. */
  void rejected(Loading.Rejected loading);
}
