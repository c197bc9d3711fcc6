package dev.sluice.telemetry;

import dev.sluice.decision.Status;
import dev.sluice.rule.Match;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import dev.sluice.rule.RuleBook;
import dev.sluice.statsd.Stats;
import io.prometheus.client.Collector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What is counted of each rule: the reference server's counters, and ours.
 *
 * <p>Counters of rules are found by the rule itself. Only where the labels depend on the request
 * are they looked up by these, and their number is bounded. Thread-safe, but for {@link #tell};
 * counting never blocks.
 */
public final class RuleSeries extends Collector implements Stats {
  private static final String PREFIX = "ratelimit_service_rate_limit_";

  /** With more rules than this, those that never decided anything are left out of the page. */
  private static final int MANY = 2_000;

  private final SeriesBudget budget;
  private final float nearRatio;
  private final RequestCounters ofRequests;
  private final MetersInForce meters;
  private volatile boolean many;

  /**
   * Series without rules yet.
   *
   * @param budget for labels that come from requests
   * @param nearRatio the part of a bucket from which on hits are near the limit
   */
  public RuleSeries(Metrics metrics, SeriesBudget budget, float nearRatio) {
    this.budget = budget;
    this.nearRatio = nearRatio;
    ofRequests = new RequestCounters(budget);
    meters = new MetersInForce(ofRequests);
    metrics.sent(this).register(metrics.registry());
  }

  /** Takes rules that come into force; what has been counted stays. */
  synchronized void load(RuleBook book) {
    many = book.domains().stream().mapToInt(book::count).sum() > MANY;
    meters.load(book, !many);
    ofRequests.keepDomains(
        book.domains().stream().map(StatLabels::sanitised).collect(Collectors.toSet()));
  }

  /** Counts a descriptor of a domain that has rules. */
  void count(String domain, Status status, Outcome outcome) {
    if (status instanceof Status.Decided decided) {
      count(domain, decided.match(), status, outcome);
    } else if (status instanceof Status.Blocked blocked) {
      count(domain, blocked.match(), status, outcome);
    }
  }

  private void count(String domain, Match.Found found, Status status, Outcome outcome) {
    Tally tally = Tally.of(status, nearRatio);
    HitCounters hits = null;
    if (!isBrought(found.rule(), domain)) {
      RuleMeters counted = meters.of(domain, found.rule());
      counted.count(outcome);
      hits = found.label().equals(found.rule().label().levels()) ? counted.hits() : null;
    }
    if (hits == null) {
      hits = ofRequests.of(StatKey.of(domain, found.label()));
    }
    hits.add(tally);
  }

  /** Whether a request brought a rule along. Such a rule has no place but the domain. */
  private static boolean isBrought(Rule rule, String domain) {
    return rule.id().equals(domain);
  }

  /** Not while rules are loaded, so that no counter is seen between two places. */
  @Override
  public synchronized List<MetricFamilySamples> collect() {
    Map<StatLabels, Tally> tallies = tallies();
    List<MetricFamilySamples> families = new ArrayList<>();
    families.add(hits(tallies, "total_hits", "Hits of the rule.", Tally::hits));
    families.add(hits(tallies, "within_limit", "Hits that fitted.", Tally::within));
    families.add(hits(tallies, "over_limit", "Hits that did not fit.", Tally::over));
    families.add(hits(tallies, "near_limit", "Hits beyond the near limit.", Tally::near));
    families.add(
        hits(
            tallies,
            "over_limit_with_local_cache",
            "Hits that did not fit, as was known without asking.",
            Tally::cached));
    families.add(hits(tallies, "shadow_mode", "Hits that did not fit and passed.", Tally::shadow));
    families.addAll(ours());
    families.add(budget.series());
    return families;
  }

  @Override
  public void tell(Hearer hearer) {
    more().forEach(it -> it.tell(hearer));
  }

  /** Not while rules are loaded, so that nothing is told twice. */
  private synchronized List<Grown> more() {
    List<Grown> grown = new ArrayList<>();
    BiConsumer<StatKey, HitCounters> asked =
        (key, counters) -> {
          Tally more = counters.more();
          if (!more.equals(Tally.NOTHING)) {
            grown.add(new Grown(key, more));
          }
        };
    meters.forEachHits(asked);
    ofRequests.forEach(asked);
    return grown;
  }

  private List<MetricFamilySamples> ours() {
    Series decisions =
        Series.counter(
            "sluice_rule_decisions",
            "Descriptors that a rule decided.",
            List.of("rule", "verdict"));
    Series limits =
        Series.gauge(
            "sluice_rule_limit", "Units that a rule allows in its unit.", List.of("rule", "unit"));
    meters
        .rules(!many)
        .forEach(
            (name, rule) -> {
              String id = StatLabels.wellFormed(name);
              meters
                  .decisions(rule)
                  .forEach(
                      (outcome, count) ->
                          decisions.add(List.of(id, outcome.label()), count.doubleValue()));
              limits.add(List.of(id, unit(rule.rateLimit())), (double) limit(rule.rateLimit()));
            });
    return List.of(decisions.family(), limits.family());
  }

  /** The time that a limit is over, as the rule file writes it. */
  private static String unit(RateLimit limit) {
    if (limit instanceof RateLimit.Limited limited) {
      return Metrics.word(limited.limit().period());
    }
    return limit instanceof RateLimit.Blocked blocked ? Metrics.word(blocked.period()) : "";
  }

  /** How many units it allows in that time. */
  private static long limit(RateLimit limit) {
    return limit instanceof RateLimit.Limited limited ? limited.limit().requests() : 0;
  }

  /** What every set of labels amounts to. Levels that have none are summed. */
  private Map<StatLabels, Tally> tallies() {
    Map<StatLabels, Tally> tallies = new LinkedHashMap<>();
    meters.forEachHits(
        (key, counters) -> {
          Tally tally = counters.read();
          if (!many || tally.hits() > 0) {
            tallies.merge(key.labels(), tally, Tally::plus);
          }
        });
    ofRequests.forEach(
        (key, counters) -> tallies.merge(key.labels(), counters.read(), Tally::plus));
    return tallies;
  }

  private static MetricFamilySamples hits(
      Map<StatLabels, Tally> tallies, String name, String help, ToDoubleFunction<Tally> part) {
    Series series = Series.bare(PREFIX + name, help, List.of());
    tallies.forEach(
        (labels, tally) -> series.add(labels.names(), labels.values(), part.applyAsDouble(tally)));
    return series.family();
  }
}
