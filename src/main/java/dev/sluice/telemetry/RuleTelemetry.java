package dev.sluice.telemetry;

import dev.sluice.rule.RuleBook;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.Problem;
import dev.sluice.rulefile.RuleObserver;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts loads of rules, and says what came of each. */
public final class RuleTelemetry implements RuleObserver {
  private static final Logger LOG = LoggerFactory.getLogger(RuleTelemetry.class);
  private static final int MOST_SAID = 50;

  private final Counter.Child successes;
  private final Counter.Child parts;
  private final Counter.Child errors;
  private final Gauge rules;

  public RuleTelemetry(Metrics metrics) {
    Counter loads =
        Counter.build("sluice_rule_loads_total", "Sets of rule files read, by what came of them.")
            .labelNames("result")
            .register(metrics.registry());
    successes = loads.labels("success");
    parts = loads.labels("partial");
    errors = loads.labels("error");
    rules =
        Gauge.build("sluice_rules", "Rules in force.")
            .labelNames("domain")
            .register(metrics.registry());
  }

  @Override
  public void loaded(Loading.Loaded loading) {
    successes.inc();
    inForce(loading.rules());
    say(loading.warnings());
  }

  private void inForce(RuleBook book) {
    rules.clear();
    int all = 0;
    for (String domain : book.domains()) {
      rules.labels(domain).set(book.count(domain));
      all += book.count(domain);
    }
    LOG.info("Rules in force: {}, in the domains {}.", all, book.domains());
  }

  @Override
  public void isolated(Loading.Isolated loading) {
    parts.inc();
    LOG.warn(
        "Problems in the rule files: {}. The domains {} keep their last good rules, {} have none"
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
    List<Problem> problems = loading.problems();
    LOG.warn(
        "Problems in the rule files: {}. Nothing of them is taken; the rules in force stay.",
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
