package dev.sluice.telemetry;

import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import dev.sluice.rule.RuleBook;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The meters of every rule of a rule book, made when it is loaded, so that a request finds those of
 * its rule by the rule itself. Not changed once it is published.
 *
 * @param byRule by identity; of the rules before them too, which requests under way may still use
 * @param byId by the name of the place; a name that several rules share is counted as one
 * @param byKey the counters of each name
 * @param heirs of counters whose name no rule has any more: those of a rule that shares their line
 *     of the page, if there is one
 */
record MetersInForce(
    IdentityHashMap<Rule, RuleMeters> byRule,
    Map<String, RuleMeters> byId,
    Map<StatKey, HitCounters> byKey,
    Map<HitCounters, HitCounters> heirs) {
  static final MetersInForce NONE =
      new MetersInForce(new IdentityHashMap<>(), Map.of(), Map.of(), Map.of());

  /** The meters of a rule, or null. */
  @Nullable RuleMeters of(Rule rule) {
    return byRule.get(rule);
  }

  /**
   * Meters for other rules. What stays keeps its counts.
   *
   * @param counters those that there are for names that are new to the rules, or new ones
   */
  MetersInForce next(RuleBook book, Function<StatKey, HitCounters> counters) {
    IdentityHashMap<Rule, RuleMeters> rules = new IdentityHashMap<>();
    Map<String, RuleMeters> ids = new HashMap<>();
    Map<StatKey, HitCounters> keys = new HashMap<>();
    for (String domain : book.domains()) {
      book.rules(domain)
          .filter(rule -> !(rule.rateLimit() instanceof RateLimit.Unlimited))
          .forEach(
              rule -> {
                HitCounters hits = new HitCounters();
                if (!rule.label().detailed()) {
                  StatKey key = StatKey.of(domain, rule.label().levels());
                  hits = keys.computeIfAbsent(key, it -> known(it, counters));
                }
                RuleMeters earlier = ids.getOrDefault(rule.id(), byId.get(rule.id()));
                RuleMeters meters = RuleMeters.of(rule, hits, earlier);
                ids.put(rule.id(), meters);
                rules.put(rule, meters);
              });
    }
    Map<HitCounters, HitCounters> heirs = heirs(keys);
    byId.values()
        .forEach(
            it -> rules.putIfAbsent(it.rule(), it.with(heirs.getOrDefault(it.hits(), it.hits()))));
    return new MetersInForce(rules, ids, keys, heirs);
  }

  private HitCounters known(StatKey key, Function<StatKey, HitCounters> counters) {
    HitCounters mine = byKey.get(key);
    return mine == null ? counters.apply(key) : mine;
  }

  /** Who goes on with the counters of those names that are not among these. */
  private Map<HitCounters, HitCounters> heirs(Map<StatKey, HitCounters> keys) {
    if (keys.keySet().containsAll(byKey.keySet())) {
      return Map.of();
    }
    Map<StatLabels, HitCounters> lines = new HashMap<>();
    keys.forEach((key, counters) -> lines.putIfAbsent(key.labels(), counters));
    Map<HitCounters, HitCounters> heirs = new HashMap<>();
    byKey.forEach(
        (key, counters) -> {
          HitCounters heir = lines.get(key.labels());
          if (heir != null && !keys.containsKey(key)) {
            heirs.put(counters, heir);
          }
        });
    return heirs;
  }

  /** All rules, in the order of their names. */
  Collection<RuleMeters> rules() {
    return byId.values().stream()
        .sorted((one, other) -> one.rule().id().compareTo(other.rule().id()))
        .toList();
  }

  /** Names that no rule of another set has. */
  List<StatKey> without(MetersInForce other) {
    return byKey.keySet().stream().filter(it -> !other.byKey.containsKey(it)).toList();
  }
}
