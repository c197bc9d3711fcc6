package dev.sluice.telemetry;

import dev.sluice.statsd.ReporterObserver;
import io.prometheus.client.Counter;

/** Counts what is sent of what is counted. Thread-safe. */
public final class ReporterTelemetry implements ReporterObserver {
  private final Counter.Child sent;
  private final Counter.Child dropped;

  public ReporterTelemetry(Metrics metrics) {
    Counter lines =
        Counter.build("sluice_statsd_lines_total", "Lines for statsd, by what became of them.")
            .labelNames("result")
            .register(metrics.registry());
    sent = lines.labels("sent");
    dropped = lines.labels("dropped");
  }

  @Override
  public void flushed(long linesSent, long linesDropped) {
    sent.inc((double) linesSent);
    dropped.inc((double) linesDropped);
  }
}
