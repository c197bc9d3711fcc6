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
 * @param byLabels what each set of labels is counted in
 */
record MetersInForce(
    IdentityHashMap<Rule, RuleMeters> byRule,
    Map<String, RuleMeters> byId,
    Map<StatLabels, HitCounters> byLabels) {
  static final MetersInForce NONE = new MetersInForce(new IdentityHashMap<>(), Map.of(), Map.of());

  /** The meters of a rule, or null. */
  @Nullable RuleMeters of(Rule rule) {
    return byRule.get(rule);
  }

  /**
   * Meters for other rules. What stays keeps its counts.
   *
   * @param counters those that there are for labels that are new to the rules, or new ones
   */
  MetersInForce next(RuleBook book, Function<StatLabels, HitCounters> counters) {
    IdentityHashMap<Rule, RuleMeters> rules = new IdentityHashMap<>();
    Map<String, RuleMeters> ids = new HashMap<>();
    Map<StatLabels, HitCounters> labels = new HashMap<>();
    for (String domain : book.domains()) {
      book.rules(domain)
          .filter(rule -> !(rule.rateLimit() instanceof RateLimit.Unlimited))
          .forEach(
              rule -> {
                HitCounters hits = new HitCounters();
                if (!rule.label().detailed()) {
                  StatLabels label = StatLabels.of(domain, rule.label().levels());
                  hits = labels.computeIfAbsent(label, it -> known(it, counters));
                }
                RuleMeters earlier = ids.getOrDefault(rule.id(), byId.get(rule.id()));
                RuleMeters meters = RuleMeters.of(rule, hits, earlier);
                ids.put(rule.id(), meters);
                rules.put(rule, meters);
              });
    }
    byId.values().forEach(meters -> rules.putIfAbsent(meters.rule(), meters));
    return new MetersInForce(rules, ids, labels);
  }

  private HitCounters known(StatLabels labels, Function<StatLabels, HitCounters> counters) {
    HitCounters mine = byLabels.get(labels);
    return mine == null ? counters.apply(labels) : mine;
  }

  /** All rules, in the order of their names. */
  Collection<RuleMeters> rules() {
    return byId.values().stream()
        .sorted((one, other) -> one.rule().id().compareTo(other.rule().id()))
        .toList();
  }

  /** Labels that no rule of another set has. */
  List<StatLabels> without(MetersInForce other) {
    return byLabels.keySet().stream().filter(it -> !other.byLabels.containsKey(it)).toList();
  }
}
