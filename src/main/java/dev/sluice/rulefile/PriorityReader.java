package dev.sluice.rulefile;

import dev.sluice.bucket.Terms.Priority;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads who is let through first when not all can be. */
final class PriorityReader {
  static final String KEY = "priority";

  private static final Map<String, Priority> WORDS = words();

  private PriorityReader() {}

  /** What a mapping says; the usual one where it says nothing, or something else. */
  static Priority read(Mapping mapping) {
    String word = mapping.text(KEY);
    Priority known = WORDS.get(word.toLowerCase(Locale.ROOT));
    if (known != null) {
      return known;
    }
    mapping
        .get(KEY)
        .filter(it -> it instanceof ScalarNode && !Scalars.isNull(it))
        .ifPresent(it -> unknown(mapping, it, word));
    return Priority.DEFAULT;
  }

  private static void unknown(Mapping mapping, Node value, String word) {
    mapping
        .reading()
        .problem(
            value,
            "unknown priority '%s'%s (expected one of %s)",
            word,
            Suggestion.forWord(word, WORDS.keySet()),
            String.join(", ", WORDS.keySet()));
  }

  private static Map<String, Priority> words() {
    Map<String, Priority> words = new LinkedHashMap<>();
    for (Priority priority : Priority.values()) {
      words.put(priority.name().toLowerCase(Locale.ROOT), priority);
    }
    return words;
  }
}
