package dev.sluice.decision;

import dev.sluice.rule.Entry;
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
   * @param told the entries of each descriptor, as they may be told
   */
  record Decision(boolean allowed, List<Status> statuses, List<List<Entry>> told)
      implements Answer {}
}
