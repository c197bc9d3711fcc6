package dev.sluice.rule;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Data that a rule sends along: text, numbers, booleans, nulls, and lists and maps of them, by
 * name. Immutable.
 *
 * @param values by name
 */
public record Metadata(Map<String, @Nullable Object> values) {
  /** No data. */
  public static final Metadata NONE = new Metadata(Map.of());

  public Metadata {
    values = copy(values);
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** This with what the other has and this has not; maps under the same name are merged alike. */
  public Metadata mergedWith(Metadata other) {
    return new Metadata(merge(values, other.values));
  }

  private static Map<String, @Nullable Object> merge(
      Map<String, @Nullable Object> first, Map<String, @Nullable Object> second) {
    Map<String, @Nullable Object> merged = new LinkedHashMap<>(first);
    second.forEach(
        (name, value) -> {
          if (!merged.containsKey(name)) {
            merged.put(name, value);
          } else if (merged.get(name) instanceof Map<?, ?> mine
              && value instanceof Map<?, ?> theirs) {
            merged.put(name, merge(named(mine), named(theirs)));
          }
        });
    return merged;
  }

  private static Map<String, @Nullable Object> copy(Map<?, ?> values) {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    values.forEach((name, value) -> copy.put(String.valueOf(name), copyOf(value)));
    return Collections.unmodifiableMap(copy);
  }

  private static @Nullable Object copyOf(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return copy(map);
    }
    return value instanceof List<?> list
        ? Collections.unmodifiableList(list.stream().map(Metadata::copyOf).toList())
        : value;
  }

  private static Map<String, @Nullable Object> named(Map<?, ?> map) {
    return copy(map);
  }
}
