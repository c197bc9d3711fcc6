package dev.sluice.settings;

import static dev.sluice.settings.Kinds.choice;
import static dev.sluice.settings.Kinds.flag;
import static dev.sluice.settings.Kinds.text;

import java.util.List;

/** The settings of traces; a part of the catalogue. */
public final class TracingCatalogue {
  public static final Setting<Boolean> TRACING_ENABLED =
      flag("TRACING_ENABLED", "false", "Send traces to a collector, by OTLP; see below.");
  public static final Setting<String> TRACING_EXPORTER_PROTOCOL =
      choice("TRACING_EXPORTER_PROTOCOL", "http", "How: http or grpc.", "http", "grpc");
  public static final Setting<Float> TRACING_SAMPLING_RATE =
      new Setting<>(
          "TRACING_SAMPLING_RATE",
          "1",
          "a number from 0 to 1",
          "The part of traces that are kept, of those that begin here; what a caller decided is kept to.",
          Readers::ratio);
  public static final Setting<String> TRACING_SERVICE_NAME =
      text("TRACING_SERVICE_NAME", "RateLimit", "What the server is called in them.");
  public static final Setting<String> TRACING_SERVICE_NAMESPACE =
      text("TRACING_SERVICE_NAMESPACE", "", "The namespace of that name; unset: none.");
  public static final Setting<String> TRACING_SERVICE_INSTANCE_ID =
      text("TRACING_SERVICE_INSTANCE_ID", "", "What this process is called; unset: a random UUID.");

  private TracingCatalogue() {}

  /** All of them, in the order of the README's table. */
  static List<Setting<?>> all() {
    return List.of(
        TRACING_ENABLED,
        TRACING_EXPORTER_PROTOCOL,
        TRACING_SAMPLING_RATE,
        TRACING_SERVICE_NAME,
        TRACING_SERVICE_NAMESPACE,
        TRACING_SERVICE_INSTANCE_ID);
  }
}
