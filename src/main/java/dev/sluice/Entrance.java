package dev.sluice;

import dev.sluice.concurrency.Algorithm;
import dev.sluice.concurrency.Algorithms;
import dev.sluice.concurrency.Bounds;
import dev.sluice.concurrency.Fixed;
import dev.sluice.concurrency.Gate;
import dev.sluice.envoy.Door;
import dev.sluice.settings.OverloadCatalogue;
import dev.sluice.settings.Settings;
import dev.sluice.telemetry.DoorTelemetry;
import dev.sluice.telemetry.Metrics;
import java.time.Duration;
import java.util.Optional;

/** What the settings say of how many calls are let in at one time. */
final class Entrance {
  /** How long Envoy waits unless it is told otherwise. */
  private static final Duration PATIENCE = Duration.ofMillis(20);

  private static final int LEAST = 4;
  private static final int START = 1_024;

  private Entrance() {}

  /** The door of the gRPC port; none where everybody is let in. */
  static Optional<Door> door(Settings settings, Metrics metrics) {
    String name = settings.get(OverloadCatalogue.DOOR_CONCURRENCY);
    if (name.equals("off")) {
      return Optional.empty();
    }
    Gate gate = new Gate(algorithm(name, settings.get(OverloadCatalogue.DOOR_MAX_CALLS)));
    return Optional.of(new Door(gate, new DoorTelemetry(metrics, gate)));
  }

  private static Algorithm algorithm(String name, int most) {
    if (name.equals("fixed")) {
      return new Fixed(most);
    }
    int start = Math.min(START, most);
    Bounds bounds = new Bounds(LEAST, start, start, most);
    return Algorithms.named(name).make(bounds, PATIENCE, () -> 1);
  }
}
