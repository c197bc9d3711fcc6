package dev.sluice.rulefile;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * The keys that one kind of mapping may have.
 *
 * @param what such a mapping is called in messages
 * @param keys those that mean something here
 * @param later those of the reference server that do not mean anything yet
 */
record Vocabulary(String what, Set<String> keys, Set<String> later) {
  static final Vocabulary DOMAIN =
      new Vocabulary("the root of the file", Set.of("domain", "descriptors"), Set.of());
  static final Vocabulary DESCRIPTOR =
      new Vocabulary(
          "a descriptor",
          Set.of("key", "value", "rate_limit", "descriptors", "shadow_mode", "share_threshold"),
          Set.of("quota_mode", "detailed_metric", "value_to_metric", "metadata"));
  static final Vocabulary RATE_LIMIT =
      new Vocabulary(
          "rate_limit",
          Set.of("unit", "requests_per_unit", "unlimited", "name", "burst", "post_paid", "debt"),
          Set.of("replaces"));

  private static final List<Vocabulary> ALL = List.of(DESCRIPTOR, RATE_LIMIT, DOMAIN);

  /** The name of a key that belongs here; where it does not, that is a problem. */
  Optional<String> check(Node key, Reading reading) {
    if (!(key instanceof ScalarNode)) {
      reading.problem(key, "a key is %s (expected one of %s)", Scalars.describe(key), sorted());
      return Optional.empty();
    }
    String name = Scalars.text(key);
    if (keys.contains(name)) {
      return Optional.of(name);
    }
    if (later.contains(name)) {
      reading.problem(key, "'%s' is not supported yet (expected one of %s)", name, sorted());
      return Optional.empty();
    }
    Optional<Vocabulary> home = ALL.stream().filter(it -> it.keys.contains(name)).findFirst();
    if (home.isPresent()) {
      reading.problem(
          key, "'%s' does not belong in %s (expected it in %s)", name, what, home.get().what);
    } else {
      reading.problem(
          key,
          "unknown key '%s'%s (expected one of %s)",
          name,
          Suggestion.forWord(name, keys),
          sorted());
    }
    return Optional.empty();
  }

  private String sorted() {
    return String.join(", ", keys.stream().sorted().toList());
  }
}
