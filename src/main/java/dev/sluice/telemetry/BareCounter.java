package dev.sluice.telemetry;

import dev.sluice.statsd.Stats;
import io.prometheus.client.Collector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A counter of the reference server. Its name on the page does not end in {@code _total}, which
 * simpleclient's own counter would add. Thread-safe, but for {@link #tell}.
 */
final class BareCounter extends Collector implements Stats {
  private final String name;
  private final String statName;
  private final String help;
  private final List<String> labelNames;
  private final Map<String, LongAdder> children = new ConcurrentSkipListMap<>();
  private final Told told = new Told();

  /**
   * A counter with one label.
   *
   * @param statName where it is sent, with a star for the value of the label
   */
  BareCounter(String name, String statName, String help, String labelName) {
    this(name, statName, help, List.of(labelName));
  }

  private BareCounter(String name, String statName, String help, List<String> labelNames) {
    this.name = name;
    this.statName = statName;
    this.help = help;
    this.labelNames = labelNames;
  }

  /** A counter without labels. */
  static BareCounter plain(String name, String statName, String help) {
    return new BareCounter(name, statName, help, List.of());
  }

  /** The only series of a counter without labels. */
  LongAdder child() {
    return child("");
  }

  /** The series with this value of the label. It is there, at 0, from the first time on. */
  LongAdder child(String labelValue) {
    return children.computeIfAbsent(labelValue, it -> new LongAdder());
  }

  @Override
  public List<MetricFamilySamples> collect() {
    Series series = Series.bare(name, help, labelNames);
    children.forEach(
        (value, adder) -> {
          List<String> values = new ArrayList<>(labelNames.size());
          labelNames.forEach(it -> values.add(value));
          series.add(values, adder.doubleValue());
        });
    return List.of(series.family());
  }

  @Override
  public void tell(Hearer hearer) {
    children.forEach(
        (value, adder) -> told.tell(statName.replace("*", value), adder.sum(), hearer));
  }
}
