package dev.sluice.decision;

import java.util.List;

/**
 * A request to be decided.
 *
 * @param domain whose rules to ask, not empty
 * @param descriptors at least one
 */
public record Query(String domain, List<Descriptor> descriptors) {
  public Query {
    if (domain.isEmpty()) {
      throw new IllegalArgumentException("the domain is empty (expected the name of a rule set)");
    }
    if (descriptors.isEmpty()) {
      throw new IllegalArgumentException("there are no descriptors (expected at least one)");
    }
    descriptors = List.copyOf(descriptors);
  }
}
