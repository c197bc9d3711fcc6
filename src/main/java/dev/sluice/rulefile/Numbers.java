package dev.sluice.rulefile;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Tag;

/** Which scalars without quotes are numbers, by YAML 1.1 as Go's yaml.v2 reads it. */
final class Numbers {
  /**
   * A way to write whole numbers, once underscores are taken out.
   *
   * @param prefix what stands between sign and digits
   */
  private record Notation(Pattern text, String prefix, int radix) {
    Notation(String digits, String prefix, int radix) {
      this(Pattern.compile("[+-]?" + prefix + digits), prefix, radix);
    }

    BigInteger read(String text) {
      return new BigInteger(prefix.isEmpty() ? text : text.replaceFirst(prefix, ""), radix);
    }
  }

  /** So many digits are below 2^63, whichever they are. */
  private static final int SURELY_A_LONG = 18;

  private static final List<Notation> WHOLE =
      List.of(
          new Notation("(0|[1-9][0-9]*)", "", 10),
          new Notation("[0-7]+", "0", 8),
          new Notation("[0-7]+", "0o", 8),
          new Notation("[01]+", "0b", 2),
          new Notation("[0-9a-fA-F]+", "0[xX]", 16));

  private static final Pattern FRACTION =
      Pattern.compile("[+-]?([.][0-9]+|[0-9]+([.][0-9]*)?)([eE][+-]?[0-9]+)?");
  private static final Pattern NOT_FINITE =
      Pattern.compile("[+-]?[.](inf|Inf|INF)|[.](nan|NaN|NAN)");

  private Numbers() {}

  private static boolean beginsLikeOne(String text) {
    return !text.isEmpty() && "+-.0123456789_".indexOf(text.charAt(0)) >= 0;
  }

  /** Whether it is digits only, as nearly all numbers are, so that nothing needs to be compared. */
  private static boolean isPlainNumber(String text) {
    if (text.length() > SURELY_A_LONG || (text.charAt(0) == '0' && text.length() > 1)) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  /** The whole number that a text is, in whatever notation; nothing where it is none. */
  static Optional<BigInteger> whole(String text) {
    if (!beginsLikeOne(text)) {
      return Optional.empty();
    }
    if (isPlainNumber(text)) {
      return Optional.of(BigInteger.valueOf(Long.parseLong(text)));
    }
    String digits = text.replace("_", "");
    for (Notation notation : WHOLE) {
      if (notation.text.matcher(digits).matches()) {
        return Optional.of(notation.read(digits));
      }
    }
    return Optional.empty();
  }

  /**
   * Whether a scalar is a fraction, or a whole number of more than 64 bits. As text they are seldom
   * what was meant, since 1.10 would not be 1.1. The reference server refuses them too.
   */
  static boolean isFraction(Node.Scalar scalar) {
    String text = scalar.text();
    if (!scalar.isPlain() || scalar.isTaggedAsText() || !beginsLikeOne(text)) {
      return false;
    }
    Optional<BigInteger> whole = whole(text);
    if (whole.isPresent()) {
      return whole.get().bitLength() >= Long.SIZE || Tag.FLOAT.equals(scalar.tag());
    }
    String digits = text.replace("_", "");
    return NOT_FINITE.matcher(text).matches()
        || (FRACTION.matcher(digits).matches() && Double.isFinite(Double.parseDouble(digits)));
  }
}
