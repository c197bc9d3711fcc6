package dev.sluice.rule;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The keys of one domain whose values nobody should see, and what is told of these instead.
 * Immutable.
 */
public final class Secrets {
  private final String domain;
  private final ValueHash hash;
  private final Set<String> keys = new HashSet<>();
  private final List<WildcardPattern> patterns = new ArrayList<>();

  /**
   * Secrets of a domain.
   *
   * @param keys as rules write them; those with a {@code *} are patterns
   */
  public Secrets(String domain, Set<String> keys, ValueHash hash) {
    this.domain = domain;
    this.hash = hash;
    for (String key : keys) {
      if (WildcardPattern.isPattern(key)) {
        patterns.add(new WildcardPattern(key));
      } else {
        this.keys.add(key);
      }
    }
  }

  /** Those of a tree of rules. */
  static Secrets of(String domain, RuleNode root, ValueHash hash) {
    Set<String> keys = new HashSet<>();
    collect(root, keys);
    return new Secrets(domain, keys, hash);
  }

  private static void collect(RuleNode node, Set<String> keys) {
    node.all()
        .forEach(
            child -> {
              if (child.naming().hashed()) {
                keys.add(child.key());
              }
              collect(child.node(), keys);
            });
  }

  /** Whether the values of a key are secret. */
  public boolean cover(String key) {
    if (keys.contains(key)) {
      return true;
    }
    for (WildcardPattern pattern : patterns) {
      if (pattern.matches(key)) {
        return true;
      }
    }
    return false;
  }

  /** What may be told of entries that were sent; the same list where all may. */
  List<Entry> told(List<Entry> sent) {
    if (keys.isEmpty() && patterns.isEmpty()) {
      return sent;
    }
    return sent.stream().anyMatch(entry -> cover(entry.key()))
        ? sent.stream().map(this::told).toList()
        : sent;
  }

  private Entry told(Entry sent) {
    return cover(sent.key())
        ? new Entry(sent.key(), hash.of(domain, sent.key(), sent.value()))
        : sent;
  }

  /** What may be told of key and value as a rule writes them. A pattern is no secret. */
  public Entry written(Entry written) {
    return WildcardPattern.isPattern(written.value()) ? written : told(written);
  }
}
