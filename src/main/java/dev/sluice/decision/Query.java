package dev.sluice.decision;

import dev.sluice.bucket.Deadline;
import java.util.List;

/**
 * A request to be decided.
 *
 * @param domain whose rules to ask, not empty
 * @param descriptors at least one
 * @param deadline when the answer is of no more use
 */
public record Query(String domain, List<Descriptor> descriptors, Deadline deadline) {
  public Query {
    if (domain.isEmpty()) {
      throw new IllegalArgumentException("the domain is empty (expected the name of a rule set)");
    }
    if (descriptors.isEmpty()) {
      throw new IllegalArgumentException("there are no descriptors (expected at least one)");
    }
    descriptors = List.copyOf(descriptors);
  }

  /** A request whose caller waits for ever. */
  public Query(String domain, List<Descriptor> descriptors) {
    this(domain, descriptors, Deadline.NONE);
  }
}
