package dev.sluice.rulefile;

import dev.sluice.limit.Limit;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What scalars mean, by YAML 1.1 as Go's yaml.v2 reads it. */
final class Scalars {
  private static final Set<String> YES =
      Set.of("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE");
  private static final Set<String> NO =
      Set.of("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE");
  private static final Pattern LEADING_ZERO = Pattern.compile("[+-]?0[0-9_]+");

  private Scalars() {}

  /** Whether a word means yes. */
  static boolean isYes(String word) {
    return YES.contains(word);
  }

  static Optional<Boolean> flag(String key, Node node, Reading reading) {
    String word = plainText(node).orElse("");
    if (YES.contains(word)) {
      return Optional.of(true);
    }
    if (NO.contains(word)) {
      return Optional.of(false);
    }
    reading.problem(node, "%s is %s (expected true or false)", key, node.describe());
    return Optional.empty();
  }

  static Optional<Long> number(String key, Node node, long least, Reading reading) {
    Optional<Long> number =
        plainText(node)
            .filter(it -> !hasLeadingZero(it) && !it.startsWith("-"))
            .flatMap(Numbers::whole)
            .filter(it -> it.bitLength() < Long.SIZE)
            .map(BigInteger::longValueExact)
            .filter(it -> it >= least && it <= Limit.MAX_REQUESTS);
    if (number.isEmpty()) {
      reading.problem(
          node,
          "%s is %s (expected a whole number from %d to %d%s)",
          key,
          node.describe(),
          least,
          Limit.MAX_REQUESTS,
          plainText(node).filter(Scalars::hasLeadingZero).isPresent()
              ? " without a leading zero"
              : "");
    }
    return number;
  }

  private static boolean hasLeadingZero(String text) {
    return text.indexOf('0') >= 0 && text.indexOf('0') <= 1 && LEADING_ZERO.matcher(text).matches();
  }

  private static Optional<String> plainText(Node node) {
    return node instanceof Node.Scalar scalar && scalar.isPlain()
        ? Optional.of(scalar.text())
        : Optional.empty();
  }
}
