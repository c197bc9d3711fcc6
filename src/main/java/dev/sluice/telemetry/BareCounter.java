package dev.sluice.telemetry;

import io.prometheus.client.Collector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A counter whose name does not end in {@code _total}, as those of the reference server do not.
 * simpleclient's own counter would add it. Thread-safe.
 */
final class BareCounter extends Collector {
  private final String name;
  private final String help;
  private final List<String> labelNames;
  private final Map<String, LongAdder> children = new ConcurrentSkipListMap<>();

  /** A counter with one label. */
  BareCounter(String name, String help, String labelName) {
    this(name, help, List.of(labelName));
  }

  private BareCounter(String name, String help, List<String> labelNames) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
  }

  /** A counter without labels. */
  static BareCounter plain(String name, String help) {
    return new BareCounter(name, help, List.of());
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
}
