package dev.sluice.telemetry;

import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import java.util.ArrayList;
import java.util.List;

/** The series of one name, while they are collected. Not thread-safe. */
final class Series {
  private final Collector.Type type;
  private final String name;
  private final String help;
  private final List<String> labelNames;
  private final List<Sample> samples = new ArrayList<>();

  private Series(Collector.Type type, String name, String help, List<String> labelNames) {
    this.type = type;
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
  }

  /**
   * Counters that are called just this. OpenMetrics has no such counters, so they are of unknown
   * type there; {@link Metrics} calls them counters where the format lets it.
   */
  static Series bare(String name, String help, List<String> labelNames) {
    return new Series(Collector.Type.UNKNOWN, name, help, labelNames);
  }

  /** Counters; the name is without the {@code _total} that they end in. */
  static Series counter(String name, String help, List<String> labelNames) {
    return new Series(Collector.Type.COUNTER, name, help, labelNames);
  }

  /** Gauges. */
  static Series gauge(String name, String help, List<String> labelNames) {
    return new Series(Collector.Type.GAUGE, name, help, labelNames);
  }

  Series add(List<String> labelValues, double value) {
    return add(labelNames, labelValues, value);
  }

  /** Adds a series that has labels of its own. */
  Series add(List<String> names, List<String> values, double value) {
    String full = type == Collector.Type.COUNTER ? name + "_total" : name;
    samples.add(new Sample(full, names, values, value));
    return this;
  }

  MetricFamilySamples family() {
    return new MetricFamilySamples(name, type, help, samples);
  }
}
