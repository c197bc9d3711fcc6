package dev.sluice.rulefile;

import dev.sluice.bucket.Terms.OnFailure;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads who decides when the store of buckets does not. */
final class FailureReader {
  static final String KEY = "on_backend_failure";

  private static final Map<String, OnFailure> WORDS = words();

  private FailureReader() {}

  /** What a mapping says; nothing where it says nothing, or something else. */
  static Optional<Said<OnFailure>> read(Mapping mapping) {
    Optional<Node> value = mapping.get(KEY).filter(it -> !Scalars.isNull(it));
    if (value.isEmpty()) {
      return Optional.empty();
    }
    String word = mapping.text(KEY);
    Optional<OnFailure> known = Optional.ofNullable(WORDS.get(word.toLowerCase(Locale.ROOT)));
    Reading reading = mapping.reading();
    if (known.isEmpty() && value.get() instanceof ScalarNode) {
      reading.problem(
          value.get(),
          "unknown policy '%s'%s (expected one of %s)",
          word,
          Suggestion.forWord(word, WORDS.keySet()),
          String.join(", ", WORDS.keySet()));
    }
    return known.map(it -> new Said<>(it, reading.place(value.get())));
  }

  private static Map<String, OnFailure> words() {
    Map<String, OnFailure> words = new LinkedHashMap<>();
    for (OnFailure policy : OnFailure.values()) {
      words.put(policy.name().toLowerCase(Locale.ROOT), policy);
    }
    return words;
  }
}
