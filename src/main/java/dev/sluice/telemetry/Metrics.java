package dev.sluice.telemetry;

import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import io.prometheus.client.hotspot.DefaultExports;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/** The registry of this process. Thread-safe. */
public final class Metrics {
  private final CollectorRegistry registry = new CollectorRegistry();

  /** A registry with what the Java machine says of itself. */
  public Metrics() {
    DefaultExports.register(registry);
  }

  CollectorRegistry registry() {
    return registry;
  }

  /** All series as text. */
  public Page page(String accept) {
    String contentType = TextFormat.chooseContentType(accept);
    StringWriter text = new StringWriter();
    try {
      TextFormat.writeFormat(contentType, text, families());
    } catch (IOException e) {
      throw new UncheckedIOException("a string does not take characters", e);
    }
    return new Page(contentType, text.toString());
  }

  /** What is registered, without the series that only say when each counter was made. */
  private Enumeration<MetricFamilySamples> families() {
    return Collections.enumeration(
        Collections.list(registry.metricFamilySamples()).stream()
            .map(Metrics::withoutCreated)
            .toList());
  }

  private static MetricFamilySamples withoutCreated(MetricFamilySamples family) {
    List<MetricFamilySamples.Sample> samples =
        family.samples.stream().filter(sample -> !sample.name.endsWith("_created")).toList();
    return new MetricFamilySamples(family.name, family.unit, family.type, family.help, samples);
  }

  /** Series as they are sent. */
  public record Page(String contentType, String text) {}
}
