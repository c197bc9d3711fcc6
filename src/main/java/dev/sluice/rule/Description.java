package dev.sluice.rule;

import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What a tree of rules says, as lines. Two trees that decide alike have the same lines, in any
 * order; which of several patterns comes first is one of the things that they say.
 */
final class Description {
  /** Parts that no file can mistake for something else. */
  private static final String SEPARATOR = "\u0001";

  private Description() {}

  static void of(RuleNode node, String path, Consumer<String> lines) {
    Rule rule = node.rule();
    lines.accept(rule == null ? path : path + SEPARATOR + text(rule));
    String ways = node.patterns().map(Description::way).collect(Collectors.joining(SEPARATOR));
    if (!ways.isEmpty()) {
      lines.accept(path + SEPARATOR + "order " + ways);
    }
    node.all()
        .forEach(
            child ->
                of(
                    child.node(),
                    path + SEPARATOR + way(child) + SEPARATOR + child.naming(),
                    lines));
  }

  private static String way(Child child) {
    return child.key() + SEPARATOR + child.value();
  }

  private static String text(Rule rule) {
    return List.of(
            rule.id(),
            rule.name(),
            rule.rateLimit(),
            rule.conduct(),
            new TreeSet<>(rule.replaces()),
            rule.metadata(),
            rule.label())
        .toString();
  }
}
