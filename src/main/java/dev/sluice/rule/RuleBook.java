package dev.sluice.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All rules that are in force at one time, by domain. */
public final class RuleBook {
  private static final Match UNKNOWN_DOMAIN = new Match.UnknownDomain();
  private static final Match NO_RULE = new Match.NoRule();

  private static final Steps UNSEEN = (place, entry, child) -> {};

  private final Map<String, RuleNode> domains;

  /** The rules of these domains. */
  public RuleBook(Map<String, RuleNode> domains) {
    this.domains = Map.copyOf(domains);
  }

  /** The names of the domains, sorted. */
  public Set<String> domains() {
    return new TreeSet<>(domains.keySet());
  }

  /** The rules of a domain, in no order; none if there is no such domain. */
  public Stream<Rule> rules(String domain) {
    return Stream.ofNullable(domains.get(domain)).flatMap(RuleNode::rules);
  }

  /** How many rules a domain has; 0 if there is no such domain. */
  public int count(String domain) {
    return (int) rules(domain).count();
  }

  /** What the rules of a domain say, as lines in no order; none if there is no such domain. */
  public Stream<String> description(String domain) {
    return Stream.ofNullable(domains.get(domain)).flatMap(root -> Description.of(root, domain));
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
    return find(domain, entries, UNSEEN);
  }

  /** Finds the rule for a descriptor, and says how. */
  public Trace trace(String domain, List<Entry> entries) {
    List<Trace.Level> levels = new ArrayList<>();
    List<Entry> below = new ArrayList<>(written(domains.get(domain)));
    Match match =
        find(
            domain,
            entries,
            (place, entry, child) -> {
              Optional<Trace.Step> step =
                  Optional.ofNullable(child).map(it -> new Trace.Step(it.choice(), it.written()));
              levels.add(new Trace.Level(entry, step, written(place)));
              below.clear();
              below.addAll(written(child == null ? null : child.node()));
            });
    return new Trace(List.copyOf(levels), List.copyOf(below), match);
  }

  private static List<Entry> written(@Nullable RuleNode place) {
    return place == null ? List.of() : place.all().map(Child::written).toList();
  }

  /** Sees each level of a search. */
  private interface Steps {
    void step(RuleNode place, Entry entry, @Nullable Child child);
  }

  private Match find(String domain, List<Entry> entries, Steps steps) {
    RuleNode root = domains.get(domain);
    if (root == null) {
      return UNKNOWN_DOMAIN;
    }
    RuleNode node = root;
    List<Entry> bucketEntries = entries;
    boolean ownLabel = false;
    for (int depth = 0; depth < entries.size(); depth++) {
      Entry entry = entries.get(depth);
      Child child = node.child(entry);
      steps.step(node, entry, child);
      if (child == null) {
        return NO_RULE;
      }
      if (child.naming().shared()) {
        bucketEntries = replaced(bucketEntries, depth, child.bucketEntry(entry));
      }
      ownLabel |= child.naming().valueToMetric();
      node = child.node();
    }
    Rule rule = node.rule();
    if (rule == null) {
      return NO_RULE;
    }
    boolean asWritten = !ownLabel && !rule.label().detailed();
    return new Match.Found(
        rule, bucketEntries, asWritten ? rule.label().levels() : label(root, entries, rule));
  }

  /** What metrics are kept under where that depends on the request. */
  private static List<String> label(RuleNode root, List<Entry> entries, Rule rule) {
    List<Child> path = new ArrayList<>(entries.size());
    RuleNode node = root;
    boolean someShare = false;
    for (Entry entry : entries) {
      Child child = node.child(entry);
      if (child == null) {
        return rule.label().levels();
      }
      path.add(child);
      someShare |= child.naming().shared();
      node = child.node();
    }
    List<String> label = new ArrayList<>(entries.size());
    for (int i = 0; i < path.size(); i++) {
      label.add(path.get(i).label(entries.get(i), rule.label().detailed(), someShare));
    }
    return label;
  }

  private static List<Entry> replaced(List<Entry> entries, int index, Entry entry) {
    List<Entry> copy = new ArrayList<>(entries);
    copy.set(index, entry);
    return copy;
  }
}
