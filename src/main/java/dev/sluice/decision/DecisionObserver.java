package dev.sluice.decision;

/** Sees decisions. Its methods are called on any thread and must not block or throw. */
public interface DecisionObserver {
  /** A request named a domain that has no rules. */
  void unknownDomain(Query query);

  /**
   * A request was decided.
   *
   * @param shadowed whether it is allowed although the decision denies it
   */
  void decided(Query query, Answer.Decision decision, boolean shadowed);
}
