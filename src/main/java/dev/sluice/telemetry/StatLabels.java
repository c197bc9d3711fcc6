package dev.sluice.telemetry;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What the reference server's series of a rule are told apart by on the page. Levels below the
 * second are left out, so rules that differ only there are summed, see {@link StatKey}.
 *
 * @param domain of the rule
 * @param key1 key and value of the first level, empty where there is none
 * @param key2 those of the second, empty where there is none
 */
record StatLabels(String domain, String key1, String key2) {
  /** Stands for whatever there is no room for. */
  static final String OTHER = "other";

  private static final List<String> ALL = List.of("domain", "key1", "key2");
  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(?:[.][0-9]{1,3}){3}");

  List<String> names() {
    return ALL.subList(0, count());
  }

  List<String> values() {
    return List.of(domain, key1, key2).subList(0, count());
  }

  private int count() {
    if (!key2.isEmpty()) {
      return 3;
    }
    return key1.isEmpty() ? 1 : 2;
  }

  /**
   * A name as the reference server writes it: {@code :} and {@code |} are {@code _}, and so are the
   * dots of an IPv4 address.
   */
  static String sanitised(String name) {
    boolean dots = false;
    String text = wellFormed(name);
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      dots |= c == '.';
      if (c == ':' || c == '|') {
        text = text.replace(':', '_').replace('|', '_');
      }
    }
    return dots ? IPV4.matcher(text).replaceAll(it -> it.group().replace('.', '_')) : text;
  }

  /** The text with a {@code ?} for each half of a character, which JSON can bring along. */
  static String wellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
      }
    }
    return text;
  }
}
