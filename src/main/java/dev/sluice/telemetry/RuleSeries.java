package dev.sluice.telemetry;

import dev.sluice.decision.Status;
import dev.sluice.rule.Match;
import dev.sluice.rule.RuleBook;
import dev.sluice.statsd.Stats;
import io.prometheus.client.Collector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What is counted of each rule: the reference server's counters, and ours.
 *
 * <p>Counters of rules are made when the rules are loaded, and found by the rule itself. Only where
 * the labels depend on the request are they looked up, and their number is bounded. Thread-safe,
 * but for {@link #tell}; counting never blocks.
 */
public final class RuleSeries extends Collector implements Stats {
  private static final String PREFIX = "ratelimit_service_rate_limit_";

  /** With more rules than this, those that never decided anything are left out of the page. */
  private static final int MANY = 2_000;

  private final SeriesBudget budget;
  private final float nearRatio;
  private final RequestCounters ofRequests;
  private volatile MetersInForce inForce = MetersInForce.NONE;

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
    metrics.sent(this).register(metrics.registry());
  }

  /** Makes the counters of rules that come into force; what has been counted stays. */
  synchronized void load(RuleBook book) {
    MetersInForce before = inForce;
    MetersInForce next =
        before.next(
            book, key -> Objects.requireNonNullElseGet(ofRequests.release(key), HitCounters::new));
    inForce = next;
    for (StatKey gone : before.without(next)) {
      HitCounters orphan = Objects.requireNonNull(before.byKey().get(gone));
      HitCounters heir = next.heirs().get(orphan);
      if (heir == null) {
        ofRequests.adopt(gone, orphan);
      } else {
        heir.absorb(orphan);
      }
    }
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
    RuleMeters meters = inForce.of(found.rule());
    Tally tally = Tally.of(status, nearRatio);
    if (meters != null) {
      meters.count(outcome);
    }
    if (meters != null && found.label().equals(found.rule().label().levels())) {
      meters.hits().add(tally);
    } else {
      ofRequests.of(StatKey.of(domain, found.label())).add(tally);
    }
  }

  /** Not while rules are loaded, so that no counter is seen between two places. */
  @Override
  public synchronized List<MetricFamilySamples> collect() {
    MetersInForce now = inForce;
    boolean many = now.byId().size() > MANY;
    Map<StatLabels, Tally> tallies = tallies(now, many);
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
    families.addAll(ours(now, many));
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
    inForce.byKey().forEach(asked);
    ofRequests.forEach(asked);
    return grown;
  }

  private static List<MetricFamilySamples> ours(MetersInForce now, boolean many) {
    Series decisions =
        Series.counter(
            "sluice_rule_decisions",
            "Descriptors that a rule decided.",
            List.of("rule", "verdict"));
    Series limits =
        Series.gauge(
            "sluice_rule_limit", "Units that a rule allows in its unit.", List.of("rule", "unit"));
    for (RuleMeters meters : now.rules()) {
      if (!many || meters.isUsed()) {
        String id = StatLabels.wellFormed(meters.rule().id());
        meters
            .decisions()
            .forEach(
                (outcome, count) ->
                    decisions.add(List.of(id, outcome.label()), count.doubleValue()));
        limits.add(List.of(id, meters.unit()), (double) meters.limit());
      }
    }
    return List.of(decisions.family(), limits.family());
  }

  /** What every set of labels amounts to. Levels that have none are summed. */
  private Map<StatLabels, Tally> tallies(MetersInForce now, boolean many) {
    Map<StatLabels, Tally> tallies = new LinkedHashMap<>();
    now.byKey()
        .forEach(
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
