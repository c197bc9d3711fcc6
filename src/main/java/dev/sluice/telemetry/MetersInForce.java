package dev.sluice.telemetry;

import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import dev.sluice.rule.RuleBook;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/**
 * The meters of the rules in force. Those of a rule are made when they are asked for the first
 * time, so that a hundred thousand rules of which few decide anything take no memory here. What has
 * been counted stays when rules change. Thread-safe; {@link #load} is called by one thread at a
 * time.
 */
final class MetersInForce {
  private final Map<String, Map<Outcome, LongAdder>> byId = new ConcurrentHashMap<>();
  private final Map<StatKey, HitCounters> byKey = new ConcurrentHashMap<>();
  private final RequestCounters ofRequests;
  private volatile Known known = new Known(new RuleBook(Map.of()), new ConcurrentHashMap<>());

  /**
   * Meters without rules yet.
   *
   * @param ofRequests where names that no rule has any more are counted, and where they come from
   */
  MetersInForce(RequestCounters ofRequests) {
    this.ofRequests = ofRequests;
  }

  /**
   * The rules in force, and what requests found of their meters. Requests under way may add those
   * of a rule from before.
   */
  private record Known(RuleBook book, Map<Rule, RuleMeters> byRule) {}

  /** The meters of a rule. */
  RuleMeters of(String domain, Rule rule) {
    Map<Rule, RuleMeters> byRule = known.byRule;
    RuleMeters found = byRule.get(rule);
    return found == null ? byRule.computeIfAbsent(rule, it -> made(domain, it)) : found;
  }

  private RuleMeters made(String domain, Rule rule) {
    HitCounters hits =
        rule.label().detailed()
            ? null
            : byKey.computeIfAbsent(key(domain, rule), it -> new HitCounters());
    return new RuleMeters(byId.computeIfAbsent(rule.id(), it -> RuleMeters.noDecisions()), hits);
  }

  private static StatKey key(String domain, Rule rule) {
    return StatKey.of(domain, rule.label().levels());
  }

  /**
   * Takes other rules.
   *
   * @param all whether the meters of all of them are made at once
   */
  void load(RuleBook book, boolean all) {
    if (byId.isEmpty() && byKey.isEmpty() && ofRequests.isEmpty()) {
      use(book, all);
      return;
    }
    Set<String> ids = new HashSet<>();
    Set<StatKey> keys = new HashSet<>();
    forEach(
        book,
        (domain, rule) -> {
          ids.add(rule.id());
          StatKey key = key(domain, rule);
          if (!rule.label().detailed() && keys.add(key)) {
            takeOver(key);
          }
        });
    use(book, all);
    byId.keySet().retainAll(ids);
    handOver(keys);
  }

  private void use(RuleBook book, boolean all) {
    known = new Known(book, new ConcurrentHashMap<>());
    if (all) {
      forEach(book, this::of);
    }
  }

  private void takeOver(StatKey key) {
    HitCounters counted = ofRequests.release(key);
    if (counted != null) {
      byKey.computeIfAbsent(key, it -> new HitCounters()).absorb(counted);
    }
  }

  /**
   * Takes counters away that are not among these: for a rule that shares their line of the page, if
   * there is one.
   */
  private void handOver(Set<StatKey> keys) {
    List<StatKey> gone = byKey.keySet().stream().filter(it -> !keys.contains(it)).toList();
    Map<StatLabels, StatKey> heirs = new HashMap<>();
    if (!gone.isEmpty()) {
      keys.forEach(key -> heirs.putIfAbsent(key.labels(), key));
    }
    for (StatKey key : gone) {
      HitCounters orphan = Objects.requireNonNull(byKey.remove(key));
      StatKey heir = heirs.get(key.labels());
      if (heir == null) {
        ofRequests.adopt(key, orphan);
      } else {
        byKey.computeIfAbsent(heir, it -> new HitCounters()).absorb(orphan);
      }
    }
  }

  private static void forEach(RuleBook book, BiConsumer<String, Rule> visitor) {
    for (String domain : book.domains()) {
      book.rules(domain)
          .filter(rule -> !(rule.rateLimit() instanceof RateLimit.Unlimited))
          .forEach(rule -> visitor.accept(domain, rule));
    }
  }

  /** The rules that have counted anything, or all of them, by their names and in that order. */
  NavigableMap<String, Rule> rules(boolean all) {
    NavigableMap<String, Rule> rules = new TreeMap<>();
    forEach(
        known.book,
        (domain, rule) -> {
          if (all || decisions(rule).values().stream().anyMatch(it -> it.sum() > 0)) {
            rules.put(rule.id(), rule);
          }
        });
    return rules;
  }

  /** Descriptors that a rule decided, by what became of them; nothing where it never did. */
  Map<Outcome, LongAdder> decisions(Rule rule) {
    return byId.getOrDefault(rule.id(), Map.of());
  }

  /** Visits what each name is counted in. */
  void forEachHits(BiConsumer<StatKey, HitCounters> visitor) {
    byKey.forEach(visitor);
  }
}
