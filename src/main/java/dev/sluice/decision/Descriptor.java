package dev.sluice.decision;

import dev.sluice.rule.Entry;
import dev.sluice.rule.RateLimit;
import java.util.List;
import java.util.Optional;

/**
 * What the proxy says about one aspect of a request.
 *
 * @param entries in the order that the rules are nested
 * @param override a limit to use instead of the rules', if the proxy sent one
 * @param hits how many units it is about
 */
public record Descriptor(List<Entry> entries, Optional<RateLimit> override, Hits hits) {
  public Descriptor {
    entries = List.copyOf(entries);
  }
}
