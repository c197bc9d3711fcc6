package dev.sluice.rulefile;

import dev.sluice.rule.Entry;
import dev.sluice.rule.WildcardPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds what no descriptor can reach, because one pattern that goes before it takes all that it
 * would. What several patterns take together is not found.
 */
final class Reach {
  /** More patterns on one level are not tried; each would be tried on all the others. */
  private static final int MOST_TRIED = 500;

  private final Consumer<Warning> warnings;

  Reach(Consumer<Warning> warnings) {
    this.warnings = warnings;
  }

  /** Looks at everything below a place. */
  void check(Branch parent) {
    List<Map.Entry<Entry, Branch>> patterns = new ArrayList<>();
    List<Map.Entry<Entry, Branch>> forEveryValue = new ArrayList<>();
    for (Map.Entry<Entry, Branch> child : parent.children()) {
      Entry written = child.getKey();
      if (WildcardPattern.isPattern(written.key()) || WildcardPattern.isPattern(written.value())) {
        check(child, patterns);
        patterns.add(child);
      } else if (written.value().isEmpty()) {
        forEveryValue.add(child);
      }
      check(child.getValue());
    }
    forEveryValue.forEach(child -> check(child, patterns));
  }

  private void check(Map.Entry<Entry, Branch> child, List<Map.Entry<Entry, Branch>> before) {
    before.stream()
        .limit(MOST_TRIED)
        .filter(it -> takesAllOf(it.getKey(), child.getKey()))
        .findFirst()
        .ifPresent(it -> warnings.accept(warning(child.getValue(), it.getValue())));
  }

  private static Warning warning(Branch child, Branch before) {
    String text =
        String.format(
            "'%s' is never reached: '%s' at %s takes all that it would",
            child.way().id(), before.way().id(), before.place());
    return new Warning(child.place(), Reading.printable(text));
  }

  private static boolean takesAllOf(Entry wide, Entry narrow) {
    return takesAllOf(wide.key(), narrow.key())
        && takesAllOf(orEvery(wide.value()), orEvery(narrow.value()));
  }

  /**
   * Whether a text takes all that another would. A star of the other can only fall to a star of a
   * pattern that fits it, whatever it stands for.
   */
  private static boolean takesAllOf(String wide, String narrow) {
    return WildcardPattern.isPattern(wide)
        ? new WildcardPattern(wide).matches(narrow)
        : wide.equals(narrow);
  }

  private static String orEvery(String value) {
    return value.isEmpty() ? "*" : value;
  }
}
