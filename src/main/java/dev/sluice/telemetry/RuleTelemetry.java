package dev.sluice.telemetry;

import dev.sluice.rule.RuleBook;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.Problem;
import dev.sluice.rulefile.RuleObserver;
import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.Counter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts loads of rules, and says what came of each. */
public final class RuleTelemetry implements RuleObserver {
  private static final Logger LOG = LoggerFactory.getLogger(RuleTelemetry.class);
  private static final int MOST_SAID = 50;
  private static final double MILLIS_PER_SECOND = 1e3;

  private final Counter.Child successes;
  private final Counter.Child parts;
  private final Counter.Child errors;
  private final LongAdder configSuccesses;
  private final LongAdder configErrors;
  private final RuleSeries series;
  private final InstantSource clock;
  private volatile List<MetricFamilySamples> described = List.of();

  /**
   * Telemetry of rules.
   *
   * @param series to tell of the rules that there are
   * @param clock what time it is
   */
  public RuleTelemetry(Metrics metrics, RuleSeries series, InstantSource clock) {
    this.series = series;
    this.clock = clock;
    Counter loads =
        Counter.build("sluice_rule_loads_total", "Sets of rule files read, by what came of them.")
            .labelNames("result")
            .register(metrics.registry());
    successes = loads.labels("success");
    parts = loads.labels("partial");
    errors = loads.labels("error");
    configSuccesses =
        metrics
            .bareCounter(
                "ratelimit_service_config_load_success",
                "ratelimit.service.config_load_success",
                "Sets of rule files taken.")
            .child();
    configErrors =
        metrics
            .bareCounter(
                "ratelimit_service_config_load_error",
                "ratelimit.service.config_load_error",
                "Sets of rule files refused.")
            .child();
    describe(Map.of(), "", Instant.EPOCH);
    new Collector() {
      @Override
      public List<MetricFamilySamples> collect() {
        return described;
      }
    }.register(metrics.registry());
  }

  @Override
  public void accepted(RuleBook book) {
    series.load(book);
  }

  @Override
  public void loaded(Loading.Loaded loading) {
    successes.inc();
    configSuccesses.increment();
    inForce(loading.rules());
    say(loading.warnings());
  }

  private void inForce(RuleBook book) {
    Map<String, Integer> counts = new TreeMap<>();
    book.domains().forEach(domain -> counts.put(domain, book.count(domain)));
    String fingerprint = Fingerprint.of(book);
    describe(counts, fingerprint, clock.instant());
    LOG.info(
        "Rules in force: {}, in the domains {} (fingerprint {}).",
        counts.values().stream().mapToInt(it -> it).sum(),
        counts.keySet(),
        fingerprint);
  }

  /** All at once, so that no page shows half of a change. */
  private void describe(Map<String, Integer> counts, String fingerprint, Instant since) {
    Series rules = Series.gauge("sluice_rules", "Rules in force.", List.of("domain"));
    counts.forEach((domain, count) -> rules.add(List.of(domain), count));
    described =
        List.of(
            rules.family(),
            Series.gauge(
                    "sluice_rules_info",
                    "1; the fingerprint is the same wherever the same rules are in force.",
                    List.of("fingerprint"))
                .add(List.of(fingerprint), 1)
                .family(),
            Series.gauge(
                    "sluice_rules_loaded_timestamp_seconds",
                    "When the rules in force were loaded; 0 while there are none.",
                    List.of())
                .add(List.of(), since.toEpochMilli() / MILLIS_PER_SECOND)
                .family());
  }

  @Override
  public void isolated(Loading.Isolated loading) {
    parts.inc();
    configErrors.increment();
    LOG.warn(
        "Problems in the rules: {}. The domains {} keep their last good rules, {} have none"
            + " until they are mended, and the others are taken.",
        loading.problems().size(),
        loading.kept(),
        loading.absent());
    say(loading.problems());
    inForce(loading.rules());
    say(loading.warnings());
  }

  @Override
  public void rejected(Loading.Rejected loading) {
    errors.inc();
    configErrors.increment();
    List<Problem> problems = loading.problems();
    LOG.warn(
        "Problems in the rules: {}. Nothing of them is taken; the rules in force stay.",
        problems.size());
    say(problems);
  }

  private static void say(List<?> remarks) {
    remarks.stream().limit(MOST_SAID).forEach(remark -> LOG.warn("{}", remark));
    if (remarks.size() > MOST_SAID) {
      LOG.warn("… and {} more; `sluice check` lists them all.", remarks.size() - MOST_SAID);
    }
  }
}
