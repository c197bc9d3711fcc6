package dev.sluice.rulefile;

import dev.sluice.limit.Limit;
import java.util.Locale;
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
  private static final Set<String> YES = Set.of("y", "yes", "on", "true");
  private static final Set<String> NO = Set.of("n", "no", "off", "false");
  private static final Pattern DECIMAL = Pattern.compile("\\+?(0|[1-9][0-9_]*)");
  private static final Pattern LEADING_ZERO = Pattern.compile("[+-]?0[0-9_]+");
  private static final Pattern HEXADECIMAL = Pattern.compile("0[xX][0-9a-fA-F_]+");

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
    return YES.contains(word.toLowerCase(Locale.ROOT));
  }

  static Optional<Boolean> flag(String key, Node node, Reading reading) {
    String word = isPlain(node) ? text(node).toLowerCase(Locale.ROOT) : "";
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
            .flatMap(it -> number(text(it)))
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

  private static Optional<Long> number(String text) {
    boolean hexadecimal = HEXADECIMAL.matcher(text).matches();
    if (!hexadecimal && !DECIMAL.matcher(text).matches()) {
      return Optional.empty();
    }
    String digits = (hexadecimal ? text.substring(2) : text).replace("_", "");
    try {
      return Optional.of(Long.parseLong(digits, hexadecimal ? 16 : 10));
    } catch (NumberFormatException tooLong) {
      return Optional.empty();
    }
  }

  private static boolean isPlain(Node node) {
    return node instanceof ScalarNode scalar && scalar.getScalarStyle() == ScalarStyle.PLAIN;
  }
}
