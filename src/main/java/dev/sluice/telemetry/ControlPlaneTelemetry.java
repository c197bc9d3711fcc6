package dev.sluice.telemetry;

import dev.sluice.xds.ControlPlaneObserver;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what a control plane sends, and says when it is lost and when it is back. */
public final class ControlPlaneTelemetry implements ControlPlaneObserver {
  private static final Logger LOG = LoggerFactory.getLogger(ControlPlaneTelemetry.class);

  private final Gauge connected;
  private final Counter.Child accepted;
  private final Counter.Child refused;
  private @Nullable String saidReason;
  private boolean saidConnected;

  /** Nothing is connected. */
  public ControlPlaneTelemetry(Metrics metrics) {
    connected =
        Gauge.build(
                "sluice_control_plane_connected",
                "1 while the stream to the control plane is open; 0 with rule files too.")
            .register(metrics.registry());
    Counter updates =
        Counter.build(
                "sluice_control_plane_updates_total",
                "Sets of rules that the control plane sent, by what it was answered.")
            .labelNames("answer")
            .register(metrics.registry());
    accepted = updates.labels("ack");
    refused = updates.labels("nack");
  }

  @Override
  public void connected() {
    connected.set(1);
    if (!saidConnected) {
      saidConnected = true;
      LOG.info("The control plane is connected.");
    }
  }

  @Override
  public void answered() {
    if (saidReason != null) {
      saidReason = null;
      LOG.info("The control plane sends rules again.");
    }
  }

  @Override
  public void accepted() {
    accepted.inc();
  }

  @Override
  public void refused() {
    refused.inc();
  }

  @Override
  public void lost(String reason) {
    connected.set(0);
    if (!reason.equals(saidReason)) {
      saidReason = reason;
      LOG.warn(
          "The control plane is not connected: {}. The rules in force stay, and it is tried again.",
          reason);
    }
  }
}
