package dev.sluice.rulefile;

import dev.sluice.limit.Limit;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** What scalars mean, by YAML 1.1 as Go's yaml.v2 reads it. */
final class Scalars {
  private static final Set<String> YES =
      Set.of("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE");
  private static final Set<String> NO =
      Set.of("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE");
  private static final Pattern LEADING_ZERO = Pattern.compile("[+-]?0[0-9_]+");

  private Scalars() {}

  /** The text as it stands in the file; empty for a null. */
  static String text(Node scalar) {
    return isNull(scalar) ? "" : ((ScalarNode) scalar).getValue();
  }

  static boolean isNull(Node node) {
    return node instanceof ScalarNode && Tag.NULL.equals(node.getTag());
  }

  /** Whether a word means yes. */
  static boolean isYes(String word) {
    return YES.contains(word);
  }

  static Optional<Boolean> flag(String key, Node node, Reading reading) {
    String word = isPlain(node) ? text(node) : "";
    if (YES.contains(word)) {
      return Optional.of(true);
    }
    if (NO.contains(word)) {
      return Optional.of(false);
    }
    reading.problem(node, "%s is %s (expected true or false)", key, describe(node));
    return Optional.empty();
  }

  static Optional<Long> number(String key, Node node, long least, Reading reading) {
    Optional<Long> number =
        Optional.of(node)
            .filter(Scalars::isPlain)
            .map(Scalars::text)
            .filter(it -> !LEADING_ZERO.matcher(it).matches() && !it.startsWith("-"))
            .flatMap(Numbers::whole)
            .filter(it -> it.bitLength() < Long.SIZE)
            .map(BigInteger::longValueExact)
            .filter(it -> it >= least && it <= Limit.MAX_REQUESTS);
    if (number.isEmpty()) {
      reading.problem(
          node,
          "%s is %s (expected a whole number from %d to %d%s)",
          key,
          describe(node),
          least,
          Limit.MAX_REQUESTS,
          isPlain(node) && LEADING_ZERO.matcher(text(node)).matches()
              ? " without a leading zero"
              : "");
    }
    return number;
  }

  /** What a node is, for messages. */
  static String describe(Node node) {
    if (node instanceof MappingNode) {
      return "a mapping";
    }
    if (node instanceof SequenceNode) {
      return "a list";
    }
    if (isNull(node)) {
      return "empty";
    }
    String text = text(node).length() > 40 ? text(node).substring(0, 40) + "…" : text(node);
    return isPlain(node) ? text : "the quoted text '" + text + "'";
  }

  static boolean isPlain(Node node) {
    return node instanceof ScalarNode scalar && scalar.getScalarStyle() == ScalarStyle.PLAIN;
  }
}
