package dev.sluice.rulefile;

import dev.sluice.rule.Entry;
import dev.sluice.rule.WildcardPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Finds what no descriptor can reach, because one pattern that goes before it takes all that it
 * would. What several patterns take together is not found.
 */
final class Reach {
  /** More patterns on one level are not tried; each would be tried on all the others. */
  private static final int MOST_TRIED = 100;

  private final Consumer<Warning> warnings;

  Reach(Consumer<Warning> warnings) {
    this.warnings = warnings;
  }

  /**
   * A pattern of a level.
   *
   * <p>It takes all of another if it matches the other's text: a star of the other can only fall to
   * one of its own stars, whatever it stands for.
   */
  private record Taker(Branch branch, Predicate<String> keys, Predicate<String> values) {
    static Taker of(Entry written, Branch branch) {
      return new Taker(branch, matching(written.key()), matching(orEvery(written.value())));
    }

    boolean takesAllOf(Entry written) {
      return keys.test(written.key()) && values.test(orEvery(written.value()));
    }

    private static Predicate<String> matching(String text) {
      return WildcardPattern.isPattern(text) ? new WildcardPattern(text)::matches : text::equals;
    }

    private static String orEvery(String value) {
      return value.isEmpty() ? "*" : value;
    }
  }

  /** Looks at everything below a place. */
  void check(Branch parent) {
    List<Taker> takers = new ArrayList<>();
    List<Map.Entry<Entry, Branch>> forEveryValue = new ArrayList<>();
    for (Map.Entry<Entry, Branch> child : parent.children()) {
      Entry written = child.getKey();
      if (WildcardPattern.isPattern(written.key()) || WildcardPattern.isPattern(written.value())) {
        check(child, takers);
        if (takers.size() < MOST_TRIED) {
          takers.add(Taker.of(written, child.getValue()));
        }
      } else if (written.value().isEmpty()) {
        forEveryValue.add(child);
      }
      check(child.getValue());
    }
    forEveryValue.forEach(child -> check(child, takers));
  }

  private void check(Map.Entry<Entry, Branch> child, List<Taker> before) {
    for (Taker taker : before) {
      if (taker.takesAllOf(child.getKey())) {
        warnings.accept(warning(child.getValue(), taker.branch));
        return;
      }
    }
  }

  private static Warning warning(Branch child, Branch before) {
    String text =
        String.format(
            "'%s' is never reached: '%s' at %s takes all that it would",
            child.way().id(), before.way().id(), before.place());
    return new Warning(child.place(), Reading.printable(text));
  }
}
