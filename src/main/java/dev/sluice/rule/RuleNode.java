package dev.sluice.rule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One place in the tree of a domain: the rule that holds there, if any, and the places below it.
 *
 * <p>A child is found by key first, so that neither a separator in a value nor the number of rules
 * matters. An exact key and value go before patterns, a pattern that is sent letter by letter
 * before others, patterns go in the order of the file, and the rule for every value of the key
 * comes last. Once a child is chosen there is no going back to another one.
 */
public final class RuleNode {
  private final @Nullable Rule rule;
  private final Map<String, Choices> children;
  private final List<Choices.Pattern> keyPatterns;
  private final Map<Entry, Child> patternsAsWritten;

  private RuleNode(
      @Nullable Rule rule, Map<String, Choices> children, List<Choices.Pattern> keyPatterns) {
    this.rule = rule;
    this.children = children;
    this.keyPatterns = keyPatterns;
    patternsAsWritten =
        patterns()
            .collect(
                Collectors.toUnmodifiableMap(
                    Child::written, Function.identity(), (first, second) -> first));
  }

  private RuleNode(@Nullable Rule rule) {
    this.rule = rule;
    children = Map.of();
    keyPatterns = List.of();
    patternsAsWritten = Map.of();
  }

  /** The rule that holds here, or null. */
  @Nullable Rule rule() {
    return rule;
  }

  /** The child that an entry leads to, or null. */
  @Nullable Child child(Entry entry) {
    Choices choices = children.getOrDefault(entry.key(), Choices.NONE);
    Child exact = choices.exact().get(entry.value());
    if (exact != null) {
      return exact;
    }
    Child asWritten = asWritten(entry);
    if (asWritten != null) {
      return asWritten;
    }
    Child fitting =
        Choices.earlier(
            Choices.first(choices.patterns(), entry), Choices.first(keyPatterns, entry));
    return fitting == null ? choices.any() : fitting;
  }

  /** The pattern that the entry is, letter by letter, or null. Few entries have a star. */
  private @Nullable Child asWritten(Entry entry) {
    boolean starred =
        WildcardPattern.isPattern(entry.key()) || WildcardPattern.isPattern(entry.value());
    return starred ? patternsAsWritten.get(entry) : null;
  }

  /** Every child. */
  Stream<Child> all() {
    return isLeaf()
        ? Stream.empty()
        : Stream.concat(
            children.values().stream().flatMap(Choices::all),
            keyPatterns.stream().map(Choices.Pattern::child));
  }

  /** The children that are reached by patterns, in the order in which patterns are tried. */
  Stream<Child> patterns() {
    return Stream.concat(
            children.values().stream().flatMap(choices -> choices.patterns().stream()),
            keyPatterns.stream())
        .sorted(Comparator.comparingInt(Choices.Pattern::order))
        .map(Choices.Pattern::child);
  }

  /** Every rule here and below. */
  Stream<Rule> rules() {
    Stream<Rule> here = Stream.ofNullable(rule);
    return isLeaf() ? here : Stream.concat(here, all().flatMap(child -> child.node().rules()));
  }

  /** Nearly all places of a large set are; they are asked often while it is loaded. */
  boolean isLeaf() {
    return children.isEmpty() && keyPatterns.isEmpty();
  }

  /**
   * A path to a rule that denies, at or below this place, with this value wherever any would do.
   */
  Optional<List<Entry>> sample(String value) {
    if (rule != null
        && rule.rateLimit() instanceof RateLimit.Limited
        && rule.conduct().enforced()) {
      return Optional.of(List.of());
    }
    return children.entrySet().stream()
        .flatMap(
            it ->
                Stream.concat(Stream.of(value), it.getValue().openValues())
                    .flatMap(one -> sample(new Entry(it.getKey(), one), value).stream())
                    .limit(1))
        .min(Comparator.comparing((List<Entry> path) -> path.size()).thenComparing(List::toString));
  }

  private Optional<List<Entry>> sample(Entry first, String value) {
    return Optional.ofNullable(child(first))
        .flatMap(it -> it.node().sample(value))
        .map(below -> Stream.concat(Stream.of(first), below.stream()).toList());
  }

  /** Starts a node. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects what a node is made of. Not thread-safe. */
  public static final class Builder {
    private final Map<String, Choices.Builder> children = new LinkedHashMap<>();
    private final List<Choices.Pattern> keyPatterns = new ArrayList<>();
    private @Nullable Rule rule;
    private int added;

    private Builder() {}

    /** Sets the rule that holds here. */
    public Builder rule(Rule rule) {
      this.rule = rule;
      return this;
    }

    /**
     * Adds a child.
     *
     * @param key of the entry that leads to it, or a pattern
     * @param value of that entry, a pattern, or empty for every value
     * @param naming how buckets and metrics below are named
     * @param child where it leads
     */
    public Builder child(String key, String value, Naming naming, RuleNode child) {
      Child way = new Child(key, value, naming, child);
      if (WildcardPattern.isPattern(key)) {
        keyPatterns.add(Choices.Pattern.of(added, way));
      } else {
        children.computeIfAbsent(key, it -> new Choices.Builder()).add(added, way);
      }
      added++;
      return this;
    }

    /** The finished node. */
    public RuleNode build() {
      if (added == 0) {
        return new RuleNode(rule);
      }
      Map<String, Choices> finished = new HashMap<>();
      children.forEach((key, choices) -> finished.put(key, choices.build()));
      return new RuleNode(rule, Map.copyOf(finished), List.copyOf(keyPatterns));
    }
  }
}
