package dev.sluice.rulefile;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.Node;

/**
 * One file while it is being read: what is wrong with it, and how deep the reader is in it. Not
 * thread-safe.
 */
final class Reading {
  private static final int MOST_DESCRIPTORS = 1_000_000;

  private final String file;
  private final List<Problem> problems;
  private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private int descriptors;

  Reading(String file, List<Problem> problems) {
    this.file = file;
    this.problems = problems;
  }

  Place place(Mark mark) {
    return new Place(file, mark.getLine() + 1, mark.getColumn() + 1);
  }

  Place place(Node node) {
    return place(node.getStartMark());
  }

  Place start() {
    return new Place(file, 1, 1);
  }

  @FormatMethod
  void problem(Node node, @FormatString String format, Object... arguments) {
    problem(place(node), format, arguments);
  }

  @FormatMethod
  void problem(Place place, @FormatString String format, Object... arguments) {
    problems.add(new Problem(place, String.format(format, arguments)));
  }

  /**
   * Goes into a descriptor, unless it contains itself or there are too many: aliases can make
   * either.
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
    if (!open.add(descriptor)) {
      problem(descriptor, "a descriptor contains itself through an alias (expected a tree)");
      return false;
    }
    return true;
  }

  void leave(Node descriptor) {
    open.remove(descriptor);
  }
}
