package dev.sluice.rulefile;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

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
      return new BigInteger(text.replaceFirst(prefix, ""), radix);
    }
  }

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
  private static final Resolver RESOLVER = new Resolver();

  private Numbers() {}

  /** The whole number that a text is, in whatever notation; nothing where it is none. */
  static Optional<BigInteger> whole(String text) {
    String digits = text.replace("_", "");
    return WHOLE.stream()
        .filter(notation -> notation.text.matcher(digits).matches())
        .findFirst()
        .map(notation -> notation.read(digits));
  }

  /**
   * Whether a scalar is a fraction, or a whole number of more than 64 bits. As text they are seldom
   * what was meant, since 1.10 would not be 1.1. The reference server refuses them too.
   */
  static boolean isFraction(Node scalar) {
    if (!Scalars.isPlain(scalar) || isSaidToBeText(scalar)) {
      return false;
    }
    String text = Scalars.text(scalar);
    Optional<BigInteger> whole = whole(text);
    if (whole.isPresent()) {
      return whole.get().bitLength() >= Long.SIZE || Tag.FLOAT.equals(scalar.getTag());
    }
    String digits = text.replace("_", "");
    return NOT_FINITE.matcher(text).matches()
        || (FRACTION.matcher(digits).matches() && Double.isFinite(Double.parseDouble(digits)));
  }

  /** By a tag, as in {@code !!str 1.5}: without it, it would be something else. */
  private static boolean isSaidToBeText(Node scalar) {
    return Tag.STR.equals(scalar.getTag())
        && !Tag.STR.equals(RESOLVER.resolve(NodeId.scalar, Scalars.text(scalar), true));
  }
}
