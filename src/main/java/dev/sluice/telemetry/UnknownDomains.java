package dev.sluice.telemetry;

import dev.sluice.decision.Query;
import dev.sluice.statsd.Stats;
import io.prometheus.client.Collector;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;

/**
 * Descriptors of domains without rules, as the reference server counts them: the domain is in the
 * name. There are as many as the budget allows; the rest is called {@link StatLabels#OTHER}.
 * Thread-safe, but for {@link #tell}; counting never blocks.
 */
public final class UnknownDomains extends Collector implements Stats {
  /** One for the value, and two that introduce it. */
  private static final int LINES = 3;

  private static final int LONGEST = 256;
  private static final Pattern NO_PART_OF_A_NAME = Pattern.compile("[^a-zA-Z0-9_]");

  private final Map<String, LongAdder> byName = new ConcurrentHashMap<>();
  private final Told told = new Told();
  private final SeriesBudget budget;

  public UnknownDomains(Metrics metrics, SeriesBudget budget) {
    this.budget = budget;
    metrics.sent(this).register(metrics.registry());
  }

  void count(Query query) {
    counter(query.domain()).add(query.descriptors().size());
  }

  private LongAdder counter(String domain) {
    if (domain.length() > LONGEST) {
      return other();
    }
    String name = name(domain);
    LongAdder known = byName.get(name);
    if (known != null) {
      return known;
    }
    if (!budget.take(LINES)) {
      return other();
    }
    LongAdder made = new LongAdder();
    LongAdder earlier = byName.putIfAbsent(name, made);
    if (earlier == null) {
      return made;
    }
    budget.give(LINES);
    return earlier;
  }

  private LongAdder other() {
    return byName.computeIfAbsent(name(StatLabels.OTHER), it -> new LongAdder());
  }

  /** Where it is sent. */
  private static String name(String domain) {
    return StatKey.name(StatLabels.sanitised(domain)) + ".domain_not_found";
  }

  /** Names that are written alike on the page are summed. */
  @Override
  public List<MetricFamilySamples> collect() {
    Map<String, Double> onPage = new TreeMap<>();
    byName.forEach(
        (name, count) ->
            onPage.merge(
                NO_PART_OF_A_NAME.matcher(name).replaceAll("_"), count.doubleValue(), Double::sum));
    return onPage.entrySet().stream()
        .map(
            it ->
                Series.bare(it.getKey(), "Descriptors of a domain without rules.", List.of())
                    .add(List.of(), it.getValue())
                    .family())
        .toList();
  }

  @Override
  public void tell(Hearer hearer) {
    byName.forEach((name, count) -> told.tell(name, count.sum(), hearer));
  }
}
