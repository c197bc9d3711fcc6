package dev.sluice.settings;

import java.time.Duration;
import java.util.function.Function;

/** The kinds of settings that there are several of. */
final class Kinds {
  private static final int MOST_PORTS = 65_535;

  private Kinds() {}

  static Setting<String> text(String name, String standard, String meaning) {
    return new Setting<>(name, standard, "text", meaning, Function.identity());
  }

  static Setting<String> header(String name, String standard, String meaning) {
    return new Setting<>(name, standard, "the name of a header", meaning, Readers::headerName);
  }

  /** One of a few words in any case, which is read as it is listed. */
  static Setting<String> choice(String name, String standard, String meaning, String... words) {
    return new Setting<>(
        name,
        standard,
        String.join(" or ", words),
        meaning,
        text -> Readers.oneOf(text, standard, words));
  }

  static Setting<Boolean> flag(String name, String standard, String meaning) {
    return new Setting<>(name, standard, "true or false", meaning, Readers::flag);
  }

  static Setting<Duration> duration(String name, String standard, String meaning) {
    return new Setting<>(
        name, standard, "a duration such as 150ms or 1h30m", meaning, Readers::duration);
  }

  static Setting<Integer> port(String name, String standard, String meaning) {
    return whole(name, standard, 0, MOST_PORTS, meaning);
  }

  static Setting<Integer> whole(String name, String standard, int least, int most, String meaning) {
    String expected = String.format("a whole number from %d to %d", least, most);
    return new Setting<>(
        name, standard, expected, meaning, text -> Readers.between(text, least, most));
  }
}
