package dev.sluice.telemetry;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import io.prometheus.client.hotspot.DefaultExports;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

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
      TextFormat.writeFormat(contentType, text, registry.metricFamilySamples());
    } catch (IOException e) {
      throw new UncheckedIOException("a string does not take characters", e);
    }
    return new Page(contentType, text.toString());
  }

  /** Series as they are sent. */
  public record Page(String contentType, String text) {}
}
