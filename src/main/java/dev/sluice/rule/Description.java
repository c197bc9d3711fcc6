package dev.sluice.rule;

import dev.sluice.bucket.Terms;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What a tree of rules says, as lines. Two trees that decide alike have the same lines, in any
 * order; which of several patterns comes first is one of the things that they say. The words are
 * chosen here, so that versions agree as long as rules mean the same.
 */
final class Description {
  /** Parts that no file can mistake for something else. */
  private static final String SEPARATOR = "\u0001";

  private Description() {}

  static void of(RuleNode node, String path, Consumer<String> lines) {
    Rule rule = node.rule();
    lines.accept(rule == null ? path : path + SEPARATOR + text(rule));
    if (node.isLeaf()) {
      return;
    }
    String ways = node.patterns().map(Description::way).collect(Collectors.joining(SEPARATOR));
    if (!ways.isEmpty()) {
      lines.accept(path + SEPARATOR + "order " + ways);
    }
    node.all()
        .forEach(
            child ->
                of(
                    child.node(),
                    path + SEPARATOR + way(child) + SEPARATOR + text(child.naming()),
                    lines));
  }

  private static String way(Child child) {
    return child.key() + SEPARATOR + child.value();
  }

  private static String text(Naming naming) {
    return (naming.shared() ? "shared" : "")
        + (naming.valueToMetric() ? " named" : "")
        + (naming.hashed() ? " hashed" : "");
  }

  /** All but what the path says already. */
  private static String text(Rule rule) {
    Rule.Conduct conduct = rule.conduct();
    Terms terms = conduct.terms();
    return rule.name()
        + SEPARATOR
        + text(rule.rateLimit())
        + (conduct.shadow() ? " shadow" : "")
        + (conduct.quota() ? " quota " : " ")
        + conduct.payment()
        + " "
        + terms.onFailure()
        + " "
        + terms.priority()
        + (terms.leasable() ? " leasable" : "")
        + (rule.label().detailed() ? " detailed" : "")
        + (rule.replaces().isEmpty() ? "" : SEPARATOR + new TreeSet<>(rule.replaces()))
        + (rule.metadata().isEmpty() ? "" : SEPARATOR + rule.metadata().values());
  }

  private static String text(RateLimit rateLimit) {
    if (rateLimit instanceof RateLimit.Limited limited) {
      return limited.limit().toString();
    }
    return rateLimit instanceof RateLimit.Blocked blocked ? "0/" + blocked.period() : "unlimited";
  }
}
