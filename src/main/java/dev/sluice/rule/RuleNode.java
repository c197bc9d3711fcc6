package dev.sluice.rule;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One place in the tree of a domain: the rule that holds there, if any, and the places below it.
 *
 * <p>A child is found by key first, so that neither a separator in a value nor the number of rules
 * matters. Below one key an exact value goes before a pattern, patterns go in the order of the
 * file, and the rule for every value comes last. Once a child is chosen there is no going back to
 * another one.
 */
public final class RuleNode {
  private final @Nullable Rule rule;
  private final Map<String, Choices> children;

  private RuleNode(@Nullable Rule rule, Map<String, Choices> children) {
    this.rule = rule;
    this.children = children;
  }

  /** The rule that holds here. */
  Optional<Rule> rule() {
    return Optional.ofNullable(rule);
  }

  /** The child that an entry leads to. */
  @Nullable Child child(Entry entry) {
    Choices choices = children.get(entry.key());
    return choices == null ? null : choices.choose(entry.value());
  }

  /** How many rules hold here and below. */
  int count() {
    int below =
        children.values().stream()
            .flatMap(Choices::all)
            .mapToInt(child -> child.node.count())
            .sum();
    return rule == null ? below : below + 1;
  }

  /**
   * A path to a rule that denies, at or below this place, with this value wherever any would do.
   */
  Optional<List<Entry>> sample(String value) {
    if (rule != null && rule.rateLimit() instanceof RateLimit.Limited && !rule.shadow()) {
      return Optional.of(List.of());
    }
    return children.entrySet().stream()
        .flatMap(child -> child.getValue().sample(child.getKey(), value).stream())
        .min(Comparator.comparing((List<Entry> path) -> path.size()).thenComparing(List::toString));
  }

  /** Starts a node. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * A child, and the value that its buckets are kept under.
   *
   * @param node the child
   * @param sharedValue the value that stands for all that match, or null where each has a bucket of
   *     its own
   */
  record Child(RuleNode node, @Nullable String sharedValue) {}

  private record Pattern(WildcardPattern pattern, Child child) {}

  private record Choices(Map<String, Child> exact, List<Pattern> patterns, @Nullable Child any) {
    @Nullable Child choose(String value) {
      Child child = exact.get(value);
      if (child != null) {
        return child;
      }
      for (Pattern pattern : patterns) {
        if (pattern.pattern.matches(value)) {
          return pattern.child;
        }
      }
      return any;
    }

    Optional<List<Entry>> sample(String key, String value) {
      return Stream.concat(Stream.of(value), exact.keySet().stream().sorted())
          .flatMap(it -> sample(new Entry(key, it), choose(it), value).stream())
          .findFirst();
    }

    private static Optional<List<Entry>> sample(Entry first, @Nullable Child child, String value) {
      return Optional.ofNullable(child)
          .flatMap(it -> it.node.sample(value))
          .map(below -> path(first, below));
    }

    private static List<Entry> path(Entry first, List<Entry> below) {
      return Stream.concat(Stream.of(first), below.stream()).toList();
    }

    Stream<Child> all() {
      return Stream.of(
              exact.values().stream(),
              patterns.stream().map(Pattern::child),
              Optional.ofNullable(any).stream())
          .flatMap(it -> it);
    }
  }

  /** Collects what a node is made of. Not thread-safe. */
  public static final class Builder {
    private final Map<String, Gathered> children = new LinkedHashMap<>();
    private @Nullable Rule rule;

    private Builder() {}

    /** Sets the rule that holds here. */
    public Builder rule(Rule rule) {
      this.rule = rule;
      return this;
    }

    /**
     * Adds a child.
     *
     * @param key of the entry that leads to it
     * @param value of that entry, a pattern, or empty for every value
     * @param shared whether all values that match the pattern share the buckets below
     * @param child where it leads
     */
    public Builder child(String key, String value, boolean shared, RuleNode child) {
      Gathered gathered = children.computeIfAbsent(key, it -> new Gathered());
      Child choice = new Child(child, shared ? value : null);
      if (value.isEmpty()) {
        gathered.any = choice;
      } else if (WildcardPattern.isPattern(value)) {
        gathered.patterns.put(value, new Pattern(new WildcardPattern(value), choice));
      } else {
        gathered.exact.put(value, choice);
      }
      return this;
    }

    /** The finished node. */
    public RuleNode build() {
      Map<String, Choices> finished = new HashMap<>();
      children.forEach((key, gathered) -> finished.put(key, gathered.finish()));
      return new RuleNode(rule, Map.copyOf(finished));
    }

    private static final class Gathered {
      private final Map<String, Child> exact = new HashMap<>();
      private final Map<String, Pattern> patterns = new LinkedHashMap<>();
      private @Nullable Child any;

      private Choices finish() {
        return new Choices(Map.copyOf(exact), List.copyOf(patterns.values()), any);
      }
    }
  }
}
