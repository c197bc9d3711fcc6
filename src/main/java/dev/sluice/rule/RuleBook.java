package dev.sluice.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** All rules that are in force at one time, by domain. */
public final class RuleBook {
  private static final Match UNKNOWN_DOMAIN = new Match.UnknownDomain();
  private static final Match NO_RULE = new Match.NoRule();

  private final Map<String, RuleNode> domains;

  /** The rules of these domains. */
  public RuleBook(Map<String, RuleNode> domains) {
    this.domains = Map.copyOf(domains);
  }

  /** The names of the domains, sorted. */
  public Set<String> domains() {
    return new TreeSet<>(domains.keySet());
  }

  /** How many rules a domain has; 0 if there is no such domain. */
  public int count(String domain) {
    RuleNode root = domains.get(domain);
    return root == null ? 0 : root.count();
  }

  /** Whether there are rules for the domain, were it an empty list of them. */
  public boolean knows(String domain) {
    return domains.containsKey(domain);
  }

  /**
   * Entries that reach some rule of the domain, to try it with; empty where it has none that is
   * easy to reach.
   */
  public Optional<List<Entry>> sample(String domain) {
    return Optional.ofNullable(domains.get(domain)).flatMap(root -> root.sample("demo"));
  }

  /**
   * Finds the rule for a descriptor: the one at the end of the path that its entries lead along,
   * one level for each entry. A rule on the way is no rule for it.
   */
  public Match find(String domain, List<Entry> entries) {
    RuleNode node = domains.get(domain);
    if (node == null) {
      return UNKNOWN_DOMAIN;
    }
    List<Entry> bucketEntries = entries;
    for (int depth = 0; depth < entries.size(); depth++) {
      RuleNode.Child child = node.child(entries.get(depth));
      if (child == null) {
        return NO_RULE;
      }
      String shared = child.sharedValue();
      if (shared != null) {
        bucketEntries = replaced(bucketEntries, depth, shared);
      }
      node = child.node();
    }
    List<Entry> name = bucketEntries;
    return node.rule().<Match>map(rule -> new Match.Found(rule, name)).orElse(NO_RULE);
  }

  private static List<Entry> replaced(List<Entry> entries, int index, String value) {
    List<Entry> copy = new ArrayList<>(entries);
    copy.set(index, new Entry(entries.get(index).key(), value));
    return copy;
  }
}
