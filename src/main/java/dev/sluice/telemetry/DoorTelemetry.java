package dev.sluice.telemetry;

import dev.sluice.concurrency.Gate;
import dev.sluice.envoy.DoorObserver;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;

/** Counts who is let in and who is not. Thread-safe. */
public final class DoorTelemetry implements DoorObserver {
  private final Counter refused;

  public DoorTelemetry(Metrics metrics, Gate gate) {
    refused =
        Counter.build("sluice_door_refused_total", "Calls refused since too many were under way.")
            .register(metrics.registry());
    Gauge.build("sluice_door_concurrency_limit", "Most calls that may be under way.")
        .create()
        .setChild(Metrics.asked(gate::limit))
        .register(metrics.registry());
    Gauge.build("sluice_door_calls_under_way", "Calls that have no answer yet.")
        .create()
        .setChild(Metrics.asked(gate::underWay))
        .register(metrics.registry());
  }

  @Override
  public void refused() {
    refused.inc();
  }
}
