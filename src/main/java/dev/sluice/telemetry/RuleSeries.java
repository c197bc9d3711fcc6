package dev.sluice.telemetry;

import dev.sluice.decision.Status;
import dev.sluice.rule.Match;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import dev.sluice.rule.RuleBook;
import dev.sluice.statsd.Stats;
import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Function;
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
  private static final String DECISIONS = "sluice_rule_decisions_total";
  private static final String LIMIT = "sluice_rule_limit";
  private static final List<String> LIMIT_LABELS = List.of("rule", "unit");

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
    List<Map.Entry<StatLabels, Tally>> tallies = List.copyOf(tallies().entrySet());
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
    List<Map.Entry<String, Rule>> rules = List.copyOf(meters.rules(!many).entrySet());
    List<Decided> decided = new ArrayList<>();
    for (Map.Entry<String, Rule> rule : rules) {
      meters
          .decisions(rule.getValue())
          .forEach((outcome, count) -> decided.add(new Decided(rule.getKey(), outcome, count)));
    }
    return List.of(
        new MetricFamilySamples(
            DECISIONS,
            Type.COUNTER,
            "Descriptors that a rule decided.",
            new SampleView<>(decided, Decided::sample)),
        new MetricFamilySamples(
            LIMIT,
            Type.GAUGE,
            "Units that a rule allows in its unit.",
            new SampleView<>(rules, it -> limit(it.getKey(), it.getValue().rateLimit()))));
  }

  /** How often something became of descriptors of a rule. */
  private record Decided(String rule, Outcome outcome, LongAdder count) {
    private static final List<String> LABELS = List.of("rule", "verdict");

    Sample sample() {
      List<String> values = List.of(StatLabels.wellFormed(rule), outcome.label());
      return new Sample(DECISIONS, LABELS, values, count.doubleValue());
    }
  }

  private static Sample limit(String rule, RateLimit limit) {
    List<String> values = List.of(StatLabels.wellFormed(rule), unit(limit));
    return new Sample(LIMIT, LIMIT_LABELS, values, (double) units(limit));
  }

  /** The time that a limit is over, as the rule file writes it. */
  private static String unit(RateLimit limit) {
    if (limit instanceof RateLimit.Limited limited) {
      return Metrics.word(limited.limit().period());
    }
    return limit instanceof RateLimit.Blocked blocked ? Metrics.word(blocked.period()) : "";
  }

  /** How many units it allows in that time. */
  private static long units(RateLimit limit) {
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
      List<Map.Entry<StatLabels, Tally>> tallies,
      String name,
      String help,
      ToDoubleFunction<Tally> part) {
    String full = PREFIX + name;
    Function<Map.Entry<StatLabels, Tally>, Sample> sample =
        it -> {
          StatLabels labels = it.getKey();
          double value = part.applyAsDouble(it.getValue());
          return new Sample(full, labels.names(), labels.values(), value);
        };
    return new MetricFamilySamples(full, Type.UNKNOWN, help, new SampleView<>(tallies, sample));
  }
}
