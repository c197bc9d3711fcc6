package dev.sluice;

import dev.sluice.settings.Settings;
import dev.sluice.settings.TracingCatalogue;
import dev.sluice.tracing.Traces;
import dev.sluice.tracing.Tracing;
import java.util.UUID;

/** What the settings say of traces. */
final class TraceSettings {
  private TraceSettings() {}

  /** Traces that are sent, if the settings want it. */
  static Traces open(Settings settings) {
    if (!settings.get(TracingCatalogue.TRACING_ENABLED)) {
      return Traces.OFF;
    }
    String instance = settings.get(TracingCatalogue.TRACING_SERVICE_INSTANCE_ID);
    return new Tracing(
        new Tracing.Identity(
            settings.get(TracingCatalogue.TRACING_SERVICE_NAME),
            settings.get(TracingCatalogue.TRACING_SERVICE_NAMESPACE),
            instance.isEmpty() ? UUID.randomUUID().toString() : instance),
        settings.get(TracingCatalogue.TRACING_EXPORTER_PROTOCOL).equals("grpc"),
        settings.get(TracingCatalogue.TRACING_SAMPLING_RATE));
  }
}
