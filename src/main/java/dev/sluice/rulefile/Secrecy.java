package dev.sluice.rulefile;

import dev.sluice.rule.Entry;
import dev.sluice.rule.WildcardPattern;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Sees to it that a key whose values are hashed in one place is so in every place of its domain.
 * Else one rule would tell what another one hides.
 */
final class Secrecy {
  private final Map<String, Reading> readings;
  private final Map<String, Place> exact = new LinkedHashMap<>();
  private final Map<WildcardPattern, Place> patterns = new LinkedHashMap<>();

  /**
   * A check of one domain.
   *
   * @param readings of the files, by name
   */
  Secrecy(Map<String, Reading> readings) {
    this.readings = readings;
  }

  /** Says of each place that hides less than another one does that it is wrong. */
  void check(Branch domain) {
    walk(domain, this::note);
    if (!exact.isEmpty() || !patterns.isEmpty()) {
      walk(domain, this::check);
    }
  }

  private static void walk(Branch parent, BiConsumer<String, Branch> visitor) {
    for (Map.Entry<Entry, Branch> child : parent.children()) {
      visitor.accept(child.getKey().key(), child.getValue());
      walk(child.getValue(), visitor);
    }
  }

  private void note(String key, Branch branch) {
    if (!branch.naming().hashed()) {
      return;
    }
    if (WildcardPattern.isPattern(key)) {
      patterns.put(new WildcardPattern(key), branch.place());
    } else {
      exact.putIfAbsent(key, branch.place());
    }
  }

  private void check(String key, Branch branch) {
    if (branch.naming().hashed()) {
      return;
    }
    hidden(key)
        .ifPresent(
            place ->
                Objects.requireNonNull(readings.get(branch.place().file()))
                    .problem(
                        branch.place(),
                        "the values of '%s' are hidden by hash_value at %s and not here (expected"
                            + " hash_value: true wherever the key is)",
                        key,
                        place));
  }

  private Optional<Place> hidden(String key) {
    return Optional.ofNullable(exact.get(key))
        .or(
            () ->
                patterns.entrySet().stream()
                    .filter(it -> it.getKey().matches(key))
                    .map(Map.Entry::getValue)
                    .findFirst());
  }
}
