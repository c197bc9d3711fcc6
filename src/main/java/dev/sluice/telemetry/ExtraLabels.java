package dev.sluice.telemetry;

import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Labels that all series of the reference server have in addition. A label that a series has
 * already stays as it is. Immutable.
 */
final class ExtraLabels {
  private static final String THEIRS = "ratelimit_";
  private static final Pattern NO_PART_OF_A_NAME = Pattern.compile("[^a-zA-Z0-9_]");

  private final Map<String, String> values = new LinkedHashMap<>();

  /**
   * Labels in the order of their names.
   *
   * @param values by name; what a name may not have in it becomes {@code _}
   */
  ExtraLabels(Map<String, String> values) {
    new TreeMap<>(values)
        .forEach(
            (name, value) -> {
              String fit = NO_PART_OF_A_NAME.matcher(name).replaceAll("_");
              boolean digit = Character.isDigit(fit.charAt(0));
              this.values.putIfAbsent(digit ? "_" + fit : fit, StatLabels.wellFormed(value));
            });
  }

  /** The same series with these labels, if they are some of the reference server's. */
  MetricFamilySamples added(MetricFamilySamples family) {
    if (values.isEmpty() || !family.name.startsWith(THEIRS)) {
      return family;
    }
    return Metrics.with(family, new SampleView<>(family.samples, this::added));
  }

  private Sample added(Sample sample) {
    List<String> names = new ArrayList<>(sample.labelNames);
    List<String> all = new ArrayList<>(sample.labelValues);
    values.forEach(
        (name, value) -> {
          if (!sample.labelNames.contains(name)) {
            names.add(name);
            all.add(value);
          }
        });
    return new Sample(sample.name, names, all, sample.value);
  }
}
