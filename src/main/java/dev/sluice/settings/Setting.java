package dev.sluice.settings;

import java.util.function.Function;

/**
 * One environment variable.
 *
 * @param name of the variable
 * @param standard the text that stands for it while it is unset or empty
 * @param expected what a value has to be, for messages
 * @param meaning what it sets, for people
 * @param reader turns text into a value; throws IllegalArgumentException where it cannot
 */
public record Setting<T>(
    String name, String standard, String expected, String meaning, Function<String, T> reader) {

  /**
   * The value of a text.
   *
   * @throws SettingException if it has none
   */
  public T read(String text) {
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw new SettingException(refusal(text, expected));
    }
  }

  /** What is said of a text that is not what was expected. */
  String refusal(String text, String instead) {
    return String.format("%s is '%s' (expected %s)", name, shown(text), instead);
  }

  /** A text as it may be shown and logged: without what could be a password in it. */
  private static String shown(String text) {
    int scheme = text.indexOf("://");
    return scheme >= 0
        ? text.substring(0, scheme) + "://***"
        : text.replaceFirst("(?s)^.*@", "***@");
  }
}
