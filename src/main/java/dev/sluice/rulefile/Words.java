package dev.sluice.rulefile;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The words that stand for the constants of an enumeration in rule files: their names, in any case.
 * Immutable.
 */
final class Words<E extends Enum<E>> {
  private final Map<String, E> words = new LinkedHashMap<>();
  private final String kind;

  /**
   * Words for all constants of a type.
   *
   * @param kind what one of them is called, for messages
   */
  Words(Class<E> type, String kind) {
    this.kind = kind;
    for (E constant : type.getEnumConstants()) {
      words.put(constant.name().toLowerCase(Locale.ROOT), constant);
    }
  }

  /** What the key of a mapping says; nothing where it says nothing, or something else. */
  Optional<E> read(Mapping mapping, String key) {
    Optional<Node> value = mapping.get(key).filter(it -> !it.isNull());
    if (value.isEmpty()) {
      return Optional.empty();
    }
    String word = mapping.text(key);
    Optional<E> known = Optional.ofNullable(words.get(word.toLowerCase(Locale.ROOT)));
    if (known.isEmpty() && value.get() instanceof Node.Scalar) {
      mapping
          .reading()
          .problem(
              value.get(),
              "unknown %s '%s'%s (expected one of %s)",
              kind,
              word,
              Suggestion.forWord(word, words.keySet()),
              this);
    }
    return known;
  }

  /** All of them, for messages. */
  @Override
  public String toString() {
    return String.join(", ", words.keySet());
  }
}
