package dev.sluice.rulefile;

import dev.sluice.rule.Entry;
import java.util.Optional;

/**
 * Puts together what is said of one place several times. What two places do not agree on is a
 * problem of the second, in whose file this is used.
 */
final class Merger {
  private final Reading reading;

  Merger(Reading reading) {
    this.reading = reading;
  }

  /** Adds a place below another, or to the one that is there already. */
  void add(Branch parent, Entry entry, Branch child) {
    Branch first = parent.child(entry).orElse(null);
    if (first == null) {
      parent.add(entry, child);
    } else if (reading.options().mergesSiblings()) {
      merge(first, child);
    } else {
      reading.problem(
          child.place(),
          "'%s' is already defined at %s (expected it once on a level)",
          child.way().id(),
          first.place());
    }
  }

  /** Adds what the second says to the first. */
  void merge(Branch first, Branch second) {
    if (!first.naming().equals(second.naming())) {
      conflict(first, second, "another share_threshold, value_to_metric or hash_value");
    } else if (first.rule().isPresent() && second.isExempt()) {
      conflict(first, second, "a rate_limit");
    } else if (first.isExempt() && second.rule().isPresent()) {
      conflict(first, second, "no rate_limit");
    } else if (first.rule().isPresent()
        && second.rule().isPresent()
        && !first.rule().equals(second.rule())) {
      conflict(first, second, "another rate_limit");
    } else if (first.rule().isEmpty()) {
      second.rule().ifPresent(first::setRule);
    }
    second
        .failure()
        .filter(said -> agrees(FailureReader.KEY, first.failure(), said))
        .ifPresent(first::setFailure);
    second
        .slot()
        .filter(said -> agrees(SlotReader.KEY, first.slot(), said))
        .ifPresent(first::setSlot);
    second.children().forEach(it -> add(first, it.getKey(), it.getValue()));
  }

  /** Whether the second says what was not said before; what contradicts it is a problem. */
  private <T> boolean agrees(String key, Optional<Said<T>> first, Said<T> second) {
    if (first.isPresent() && !first.get().value().equals(second.value())) {
      reading.problem(
          second.place(),
          "%s is already given at %s with another value (expected both to say the same)",
          key,
          first.get().place());
    }
    return first.isEmpty();
  }

  private void conflict(Branch first, Branch second, String what) {
    reading.problem(
        second.place(),
        "'%s' is already defined at %s with %s (expected both to say the same)",
        second.way().id(),
        first.place(),
        what);
  }
}
