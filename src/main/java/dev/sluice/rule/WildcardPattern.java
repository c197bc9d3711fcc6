package dev.sluice.rule;

/**
 * A value in which every {@code *} stands for any characters, or none.
 *
 * <p>Matching takes time in proportion to the value's length for each {@code *}: the parts between
 * them are looked for from left to right, and there is no going back.
 */
public final class WildcardPattern {
  private final String text;
  private final String[] parts;

  /**
   * A pattern.
   *
   * @throws IllegalArgumentException if the text contains no {@code *}
   */
  public WildcardPattern(String text) {
    if (!isPattern(text)) {
      throw new IllegalArgumentException("'" + text + "' is not a pattern (expected a '*' in it)");
    }
    this.text = text;
    this.parts = text.split("\\*", -1);
  }

  /** Whether a value of a rule is a pattern. */
  public static boolean isPattern(String value) {
    return value.indexOf('*') >= 0;
  }

  /** Whether the value fits. */
  public boolean matches(String value) {
    String first = parts[0];
    String last = parts[parts.length - 1];
    if (value.length() < first.length() + last.length()
        || !value.startsWith(first)
        || !value.endsWith(last)) {
      return false;
    }
    int from = first.length();
    int end = value.length() - last.length();
    for (int i = 1; i < parts.length - 1; i++) {
      int at = value.indexOf(parts[i], from);
      if (at < 0 || at + parts[i].length() > end) {
        return false;
      }
      from = at + parts[i].length();
    }
    return true;
  }

  @Override
  public String toString() {
    return text;
  }
}
