package dev.sluice.rule;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a tree of rules says, as lines. Two trees that decide alike have the same lines, in any
 * order; which of several patterns comes first is one of the things that they say.
 */
final class Description {
  /** Parts that no file can mistake for something else. */
  private static final String SEPARATOR = "\u0001";

  private Description() {}

  static Stream<String> of(RuleNode node, String path) {
    Rule rule = node.rule();
    Stream<String> own = rule == null ? Stream.of(path) : Stream.of(path + SEPARATOR + text(rule));
    return Stream.of(own, order(node, path), node.all().flatMap(child -> of(child, path)))
        .flatMap(it -> it);
  }

  private static Stream<String> of(Child child, String path) {
    String way = way(child) + SEPARATOR + child.naming();
    return of(child.node(), path + SEPARATOR + way);
  }

  private static Stream<String> order(RuleNode node, String path) {
    String ways = node.patterns().map(Description::way).collect(Collectors.joining(SEPARATOR));
    return ways.isEmpty() ? Stream.empty() : Stream.of(path + SEPARATOR + "order " + ways);
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
