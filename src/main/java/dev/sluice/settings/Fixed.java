package dev.sluice.settings;

import java.util.List;

/**
 * Variables of the reference server that ask for something that is not here, and that would change
 * what is limited, or where. They are taken with the value that asks for what is here; any other
 * one stops the start. The README's table is made from it.
 */
final class Fixed {
  private static final List<Setting<?>> ALL =
      List.of(fixed("BACKEND_TYPE", "redis", "there is no Memcached store"));

  private Fixed() {}

  /** All of them, in the order of the README's table. */
  static List<Setting<?>> all() {
    return ALL;
  }

  private static Setting<String> fixed(String name, String value, String reason) {
    return new Setting<>(
        name,
        value,
        value + ", since " + reason,
        sentence(reason),
        text -> Readers.oneOf(text, value, value));
  }

  private static String sentence(String reason) {
    return Character.toUpperCase(reason.charAt(0)) + reason.substring(1) + ".";
  }
}
