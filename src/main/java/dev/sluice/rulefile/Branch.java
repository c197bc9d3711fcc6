package dev.sluice.rulefile;

import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.rule.Domain;
import dev.sluice.rule.Entry;
import dev.sluice.rule.Naming;
import dev.sluice.rule.Rule;
import dev.sluice.rule.RuleNode;
import dev.sluice.rule.SlotBy;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One place in the tree of a domain while its files are read: what they say of it, and where. Not
 * thread-safe.
 */
final class Branch {
  private final Way way;
  private final Place place;
  private final Naming naming;
  private Map<Entry, Branch> children = Map.of();
  private Optional<Draft> rule;
  private Optional<Said<OnFailure>> failure = Optional.empty();
  private Optional<Said<SlotBy>> slot = Optional.empty();

  /**
   * A place without children.
   *
   * @param place where it is said first
   * @param naming how buckets and metrics below are named
   */
  Branch(Way way, Place place, Naming naming, Optional<Draft> rule) {
    this.way = way;
    this.place = place;
    this.naming = naming;
    this.rule = rule;
  }

  Way way() {
    return way;
  }

  Place place() {
    return place;
  }

  Naming naming() {
    return naming;
  }

  Optional<Draft> rule() {
    return rule;
  }

  /** Who decides when the store of buckets does not, where rules below do not say so. */
  Optional<Said<OnFailure>> failure() {
    return failure;
  }

  void setFailure(Said<OnFailure> said) {
    failure = Optional.of(said);
  }

  /** What buckets share a slot by; said of domains only. */
  Optional<Said<SlotBy>> slot() {
    return slot;
  }

  void setSlot(Said<SlotBy> said) {
    slot = Optional.of(said);
  }

  /** Whether it says that there is no limit: it has neither a rule nor places below. */
  boolean isExempt() {
    return rule.isEmpty() && children.isEmpty();
  }

  /** The places below in the order of the files, by key and value as they are written. */
  Collection<Map.Entry<Entry, Branch>> children() {
    return children.entrySet();
  }

  /** The place below with this key and value. */
  Optional<Branch> child(Entry entry) {
    return Optional.ofNullable(children.get(entry));
  }

  void add(Entry entry, Branch child) {
    if (children.isEmpty()) {
      children = new LinkedHashMap<>();
    }
    children.put(entry, child);
  }

  void setRule(Draft found) {
    rule = Optional.of(found);
  }

  /** Every rule here and below. */
  Stream<Rule> rules() {
    return Stream.concat(
        rule.map(Draft::rule).stream(), children.values().stream().flatMap(Branch::rules));
  }

  /**
   * The finished domain whose root this is.
   *
   * @param standard who decides when the store of buckets does not, where nothing here says so
   */
  Domain domain(OnFailure standard) {
    return new Domain(
        node(standard),
        slot.map(Said::value).orElse(SlotBy.NOTHING),
        failure.map(Said::value).orElse(standard));
  }

  /**
   * The finished tree.
   *
   * @param standard who decides when the store of buckets does not, where nothing here says so
   */
  private RuleNode node(OnFailure standard) {
    OnFailure ours = failure.map(Said::value).orElse(standard);
    RuleNode.Builder node = RuleNode.builder();
    rule.ifPresent(it -> node.rule(it.finished(ours)));
    children.forEach(
        (entry, child) -> node.child(entry.key(), entry.value(), child.naming, child.node(ours)));
    return node.build();
  }
}
