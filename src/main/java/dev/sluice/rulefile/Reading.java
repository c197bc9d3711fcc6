package dev.sluice.rulefile;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.sluice.limit.Limit;
import dev.sluice.rule.Rule;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.error.Mark;

/**
 * One file or resource while it is being read: what is wrong with it, and how deep the reader is in
 * it. Not thread-safe.
 */
final class Reading {
  private static final int MOST_DESCRIPTORS = 1_000_000;
  private static final int DEEPEST = 200;
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private final String file;
  private final RuleOptions options;
  private final Set<Problem> problems = new LinkedHashSet<>();
  private final Set<Warning> warnings = new LinkedHashSet<>();
  private final Map<Place, String> replaced = new LinkedHashMap<>();
  private final Shared<Limit> limits = new Shared<>();
  private final Shared<Rule.Conduct> conducts = new Shared<>();
  private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private int descriptors;

  Reading(String file, RuleOptions options) {
    this.file = file;
    this.options = options;
  }

  RuleOptions options() {
    return options;
  }

  /** What is wrong, from top to bottom; once, even where aliases lead to it several times. */
  List<Problem> problems() {
    return problems.stream().sorted(Comparator.comparing(Problem::place, Place.DOWNWARD)).toList();
  }

  boolean isGood() {
    return problems.isEmpty();
  }

  /** What has no effect, as far as this file alone tells. */
  Set<Warning> warnings() {
    return warnings;
  }

  /** The names of rules that rules here replace, and where. */
  Map<Place, String> replaced() {
    return replaced;
  }

  /** The limits of this file. */
  Shared<Limit> limits() {
    return limits;
  }

  /** How verdicts of rules of this file count. */
  Shared<Rule.Conduct> conducts() {
    return conducts;
  }

  /** Where a mark of the parser is. */
  Place place(Mark mark) {
    return new Place.InFile(file, mark.getLine() + 1, mark.getColumn() + 1);
  }

  Place place(Node node) {
    return node.place(file);
  }

  Place start() {
    return options.origin() == RuleOptions.Origin.CONTROL_PLANE
        ? new Place.InResource(file, 0, "")
        : new Place.InFile(file, 1, 1);
  }

  /** The place right behind the text that the file begins with. */
  Place behind(String beginning) {
    int lines = (int) beginning.chars().filter(character -> character == '\n').count();
    int lineStart = beginning.lastIndexOf('\n') + 1;
    int characters = beginning.codePointCount(lineStart, beginning.length());
    return new Place.InFile(file, lines + 1, characters + 1);
  }

  @FormatMethod
  void problem(Node node, @FormatString String format, Object... arguments) {
    problem(place(node), format, arguments);
  }

  @FormatMethod
  void problem(Place place, @FormatString String format, Object... arguments) {
    problems.add(new Problem(place, printable(String.format(format, arguments))));
  }

  @FormatMethod
  void warning(Node node, @FormatString String format, Object... arguments) {
    warnings.add(new Warning(place(node), printable(String.format(format, arguments))));
  }

  /** Notes that a rule replaces those of this name. */
  void replaces(Node entry, String name) {
    replaced.put(place(entry), name);
  }

  /** The text on one line, and without what a terminal might obey. */
  static String printable(String text) {
    return CONTROL
        .matcher(text)
        .replaceAll(it -> "\\\\x%02X".formatted((int) it.group().charAt(0)));
  }

  /**
   * Goes into a descriptor, unless it contains itself, or there are too many, or too many inside
   * one another: aliases can make all three.
   */
  boolean enter(Node descriptor) {
    if (++descriptors == MOST_DESCRIPTORS) {
      problem(
          descriptor,
          "more than %d descriptors (expected fewer; do aliases multiply them?)",
          MOST_DESCRIPTORS);
    }
    if (descriptors >= MOST_DESCRIPTORS) {
      return false;
    }
    if (open.contains(descriptor)) {
      problem(descriptor, "this contains itself through an alias (expected a tree)");
      return false;
    }
    if (open.size() == DEEPEST) {
      problem(descriptor, "descriptors are nested too deep (expected %d levels at most)", DEEPEST);
      return false;
    }
    return open.add(descriptor);
  }

  void leave(Node descriptor) {
    open.remove(descriptor);
  }
}
