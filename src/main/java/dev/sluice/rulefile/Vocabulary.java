package dev.sluice.rulefile;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The keys that one kind of mapping may have.
 *
 * @param what such a mapping is called in messages
 * @param keys those that mean something here
 */
record Vocabulary(String what, Set<String> keys) {
  static final Vocabulary DOMAIN =
      new Vocabulary(
          "the root of the file",
          Set.of("domain", "descriptors", FailureReader.KEY, SlotReader.KEY));
  static final Vocabulary DESCRIPTOR =
      new Vocabulary(
          "a descriptor",
          Set.of(
              "key",
              "value",
              "rate_limit",
              "descriptors",
              "shadow_mode",
              "quota_mode",
              "detailed_metric",
              "value_to_metric",
              "share_threshold",
              "hash_value",
              "metadata"));
  static final Vocabulary RATE_LIMIT =
      new Vocabulary(
          "rate_limit",
          Set.of(
              "unit",
              "requests_per_unit",
              "unlimited",
              "name",
              "replaces",
              "burst",
              "post_paid",
              "debt",
              FailureReader.KEY,
              RateLimitReader.PRIORITY,
              "lease"));
  static final Vocabulary REPLACES = new Vocabulary("an entry of replaces", Set.of("name"));

  private static final List<Vocabulary> ALL = List.of(DESCRIPTOR, RATE_LIMIT, DOMAIN);

  /** The name of a key that belongs here; where it does not, that is a problem. */
  Optional<String> check(Node key, Reading reading) {
    if (!(key instanceof Node.Scalar scalar)) {
      reading.problem(key, "a key is %s (expected one of %s)", key.describe(), sorted());
      return Optional.empty();
    }
    String name = scalar.text();
    if (keys.contains(name)) {
      return Optional.of(name);
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
