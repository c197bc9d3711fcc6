package dev.sluice.decision;

import java.util.List;

/** What becomes of a request. */
public sealed interface Answer {
  /** No rules have ever been loaded, so nothing can be decided. */
  record NoRules() implements Answer {}

  /**
   * A decision.
   *
   * @param allowed whether the request may go on
   * @param statuses one for each descriptor, in order
   */
  record Decision(boolean allowed, List<Status> statuses) implements Answer {}
}
