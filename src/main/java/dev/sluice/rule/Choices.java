package dev.sluice.rule;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The ways down from one place that begin with one key.
 *
 * @param exact by value
 * @param patterns of values, in the order of the file
 * @param any the way for every value
 */
record Choices(Map<String, Child> exact, List<Pattern> patterns, @Nullable Child any) {
  static final Choices NONE = new Choices(Map.of(), List.of(), null);

  /**
   * A way that is reached by a pattern.
   *
   * @param order where it stands in the file, among its neighbours
   * @param key the pattern of the key, or null where the key is exact
   * @param value the pattern of the value, or null where it is exact or every value will do
   */
  record Pattern(
      int order, @Nullable WildcardPattern key, @Nullable WildcardPattern value, Child child) {
    static Pattern of(int order, Child child) {
      return new Pattern(order, pattern(child.key()), pattern(child.value()), child);
    }

    boolean matches(Entry entry) {
      return (key == null || key.matches(entry.key())) && matchesValue(entry.value());
    }

    private boolean matchesValue(String sent) {
      if (value != null) {
        return value.matches(sent);
      }
      return child.value().isEmpty() || child.value().equals(sent);
    }

    private static @Nullable WildcardPattern pattern(String text) {
      return WildcardPattern.isPattern(text) ? new WildcardPattern(text) : null;
    }
  }

  /** The first of these patterns that the entry fits, or null. */
  static @Nullable Pattern first(List<Pattern> patterns, Entry entry) {
    for (Pattern pattern : patterns) {
      if (pattern.matches(entry)) {
        return pattern;
      }
    }
    return null;
  }

  /** The exact values that anybody may see, sorted. */
  Stream<String> openValues() {
    return exact.entrySet().stream()
        .filter(it -> !it.getValue().naming().hashed())
        .map(Map.Entry::getKey)
        .sorted();
  }

  Stream<Child> all() {
    return Stream.of(
            exact.values().stream(), patterns.stream().map(Pattern::child), Stream.ofNullable(any))
        .flatMap(it -> it);
  }

  /** Collects them. Not thread-safe. */
  static final class Builder {
    private final Map<String, Child> exact = new HashMap<>();
    private final Map<String, Pattern> patterns = new LinkedHashMap<>();
    private @Nullable Child any;

    void add(int order, Child child) {
      if (child.value().isEmpty()) {
        any = child;
      } else if (child.isPattern()) {
        patterns.put(child.value(), Pattern.of(order, child));
      } else {
        exact.put(child.value(), child);
      }
    }

    Choices build() {
      return new Choices(Map.copyOf(exact), List.copyOf(patterns.values()), any);
    }
  }

  /** Where the earlier of two patterns in the file leads; either may be null. */
  static @Nullable Child earlier(@Nullable Pattern one, @Nullable Pattern other) {
    if (one == null) {
      return other == null ? null : other.child;
    }
    return other == null || one.order < other.order ? one.child : other.child;
  }
}
