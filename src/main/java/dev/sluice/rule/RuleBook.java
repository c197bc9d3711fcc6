package dev.sluice.rule;

import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.Terms;
import dev.sluice.bucket.Terms.OnFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All rules that are in force at one time, by domain. */
public final class RuleBook {
  private static final Match UNKNOWN_DOMAIN = new Match.UnknownDomain();
  private static final Match NO_RULE = new Match.NoRule();

  private static final Steps UNSEEN = (place, entry, child) -> {};

  private final Map<String, Domain> domains;
  private final Map<String, Secrets> secrets = new HashMap<>();

  /** The rules of these trees, by domain; secret values are told as hashes without a secret. */
  public RuleBook(Map<String, RuleNode> roots) {
    this(
        roots.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, root -> new Domain(root.getValue()))),
        ValueHash.PLAIN);
  }

  /**
   * The rules of these domains.
   *
   * @param hash what is told of values that nobody should see
   */
  public RuleBook(Map<String, Domain> domains, ValueHash hash) {
    this.domains = Map.copyOf(domains);
    domains.forEach((name, it) -> secrets.put(name, Secrets.of(name, it.root(), hash)));
  }

  /** The names of the domains, sorted. */
  public Set<String> domains() {
    return new TreeSet<>(domains.keySet());
  }

  /** The rules of a domain, in no order; none if there is no such domain. */
  public Stream<Rule> rules(String domain) {
    return Stream.ofNullable(root(domain)).flatMap(RuleNode::rules);
  }

  /** How many rules a domain has; 0 if there is no such domain. */
  public int count(String domain) {
    return (int) rules(domain).count();
  }

  /** Says what the rules are, in lines that come in no order. */
  public void describe(Consumer<String> lines) {
    domains.forEach((name, domain) -> Description.of(domain.root(), name, lines));
  }

  /** Whether there are rules for the domain, were it an empty list of them. */
  public boolean knows(String domain) {
    return domains.containsKey(domain);
  }

  /**
   * Who decides for limits of a domain that no rule is for when the store of buckets does not: who
   * decides for its rules, unless they say so themselves.
   */
  public OnFailure onFailure(String domain) {
    Domain known = domains.get(domain);
    return known == null ? Terms.STANDARD.onFailure() : known.onFailure();
  }

  /**
   * Entries that reach some rule of the domain, to try it with; empty where it has none that is
   * easy to reach.
   */
  public Optional<List<Entry>> sample(String domain) {
    return Optional.ofNullable(root(domain)).flatMap(root -> root.sample("demo"));
  }

  /**
   * The entries of a descriptor as they may be told: in logs, metrics, answers and names of
   * buckets. Values of keys that a rule of the domain keeps secret are hashes.
   */
  public List<Entry> told(String domain, List<Entry> entries) {
    Secrets some = secrets.get(domain);
    return some == null ? entries : some.told(entries);
  }

  /**
   * Finds the rule for a descriptor: the one at the end of the path that its entries lead along,
   * one level for each entry. A rule on the way is no rule for it.
   */
  public Match find(String domain, List<Entry> entries) {
    return find(domain, entries, told(domain, entries));
  }

  /**
   * The same, for who knows {@linkplain #told what may be told} of the entries already.
   *
   * @param told of them
   */
  public Match find(String domain, List<Entry> entries, List<Entry> told) {
    return find(domain, entries, told, UNSEEN);
  }

  /** Finds the rule for a descriptor, and says how. */
  public Trace trace(String domain, List<Entry> entries) {
    Secrets hidden = secrets(domain);
    List<Trace.Level> levels = new ArrayList<>();
    List<Entry> below = new ArrayList<>(written(root(domain), hidden));
    Match match =
        find(
            domain,
            entries,
            hidden.told(entries),
            (place, entry, child) -> {
              Optional<Trace.Step> step =
                  Optional.ofNullable(child)
                      .map(it -> new Trace.Step(it.choice(), hidden.written(it.written())));
              levels.add(new Trace.Level(entry, step, written(place, hidden)));
              below.clear();
              below.addAll(written(child == null ? null : child.node(), hidden));
            });
    return new Trace(List.copyOf(levels), List.copyOf(below), match);
  }

  private static List<Entry> written(@Nullable RuleNode place, Secrets hidden) {
    return place == null
        ? List.of()
        : place.all().map(Child::written).map(hidden::written).toList();
  }

  /**
   * The name of a bucket, with the slot that its domain says it shares.
   *
   * @param entries that name it, as they may be told
   */
  public BucketKey bucket(String domain, List<Entry> entries) {
    BucketKey.Builder key = BucketKey.in(domain);
    for (Entry entry : entries) {
      key.entry(entry.key(), entry.value());
    }
    Domain known = domains.get(domain);
    return known == null ? key.build() : key.inSlotOf(known.slotBy().slot(domain, entries)).build();
  }

  private @Nullable RuleNode root(String domain) {
    Domain known = domains.get(domain);
    return known == null ? null : known.root();
  }

  private Secrets secrets(String domain) {
    return secrets.getOrDefault(domain, new Secrets(domain, Set.of(), ValueHash.PLAIN));
  }

  /** Sees each level of a search, with its entry as it may be told. */
  private interface Steps {
    void step(RuleNode place, Entry told, @Nullable Child child);
  }

  private Match find(String domain, List<Entry> entries, List<Entry> told, Steps steps) {
    RuleNode root = root(domain);
    if (root == null) {
      return UNKNOWN_DOMAIN;
    }
    RuleNode node = root;
    List<Entry> bucketEntries = told;
    boolean ownLabel = false;
    for (int depth = 0; depth < entries.size(); depth++) {
      Child child = node.child(entries.get(depth));
      steps.step(node, told.get(depth), child);
      if (child == null) {
        return NO_RULE;
      }
      if (child.naming().shared()) {
        bucketEntries = replaced(bucketEntries, depth, secrets(domain).written(child.written()));
      }
      ownLabel |= child.naming().valueToMetric();
      node = child.node();
    }
    Rule rule = node.rule();
    if (rule == null) {
      return NO_RULE;
    }
    boolean asWritten = !ownLabel && !rule.label().detailed();
    if (asWritten) {
      return new Match.Found(rule, bucketEntries, rule.label().levels());
    }
    List<Child> path = path(root, entries);
    return new Match.Found(rule, bucketEntries, label(path, told, secrets(domain), rule));
  }

  private static List<Child> path(RuleNode root, List<Entry> entries) {
    List<Child> path = new ArrayList<>(entries.size());
    RuleNode node = root;
    for (Entry entry : entries) {
      Child child = Objects.requireNonNull(node.child(entry), "the path to a rule that was found");
      path.add(child);
      node = child.node();
    }
    return path;
  }

  /** What metrics are kept under where that depends on the request. */
  private static List<String> label(List<Child> path, List<Entry> told, Secrets hidden, Rule rule) {
    boolean detailed = rule.label().detailed();
    boolean someShare = path.stream().anyMatch(child -> child.naming().shared());
    List<String> label = new ArrayList<>(path.size());
    for (int i = 0; i < path.size(); i++) {
      Child child = path.get(i);
      label.add(child.label(told.get(i), hidden.written(child.written()), detailed, someShare));
    }
    return label;
  }

  private static List<Entry> replaced(List<Entry> entries, int index, Entry entry) {
    List<Entry> copy = new ArrayList<>(entries);
    copy.set(index, entry);
    return copy;
  }
}
