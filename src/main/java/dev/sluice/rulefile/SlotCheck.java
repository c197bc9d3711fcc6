package dev.sluice.rulefile;

import dev.sluice.rule.Entry;
import dev.sluice.rule.SlotBy;
import dev.sluice.rule.WildcardPattern;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Compares what buckets of a domain share a slot by with the keys that its descriptors have. */
final class SlotCheck {
  private final Map<String, Place> keys = new TreeMap<>();
  private final Said<SlotBy> said;

  private SlotCheck(Said<SlotBy> said, Branch domain) {
    this.said = said;
    collect(domain);
  }

  /** A check of a domain; nothing where it says nothing of slots. */
  static Optional<SlotCheck> of(Branch domain) {
    return domain.slot().map(said -> new SlotCheck(said, domain));
  }

  private void collect(Branch parent) {
    for (Map.Entry<Entry, Branch> child : parent.children()) {
      keys.putIfAbsent(child.getKey().key(), child.getValue().place());
      collect(child.getValue());
    }
  }

  /**
   * Says so where the word for the whole domain is a key of a descriptor too, since nobody knows
   * then which of both is meant.
   *
   * @param readings of the files, by name
   */
  void check(Map<String, Reading> readings) {
    Place clash = keys.get(SlotReader.DOMAIN);
    if (said.value().equals(SlotBy.DOMAIN) && clash != null) {
      Objects.requireNonNull(readings.get(said.place().file()))
          .problem(
              said.place(),
              "%s '%s' means all buckets of the domain, and a descriptor has that key at %s"
                  + " (expected a key of another name)",
              SlotReader.KEY,
              SlotReader.DOMAIN,
              clash);
    }
  }

  /** That no descriptor has the key, if so. */
  Optional<Warning> warning() {
    if (!(said.value() instanceof SlotBy.Key by)
        || keys.keySet().stream().anyMatch(it -> fits(it, by.key()))) {
      return Optional.empty();
    }
    String text =
        String.format(
            "no descriptor of this domain has the key '%s'%s",
            by.key(), Suggestion.forWord(by.key(), keys.keySet()));
    return Optional.of(new Warning(said.place(), Reading.printable(text)));
  }

  private static boolean fits(String written, String key) {
    return WildcardPattern.isPattern(written)
        ? new WildcardPattern(written).matches(key)
        : written.equals(key);
  }
}
