package dev.sluice.settings;

import static dev.sluice.settings.Kinds.duration;
import static dev.sluice.settings.Kinds.flag;
import static dev.sluice.settings.Kinds.whole;

import java.time.Duration;

/** The settings of how the process begins, works and ends; a part of the catalogue. */
public final class ProcessCatalogue {
  public static final Setting<Integer> EVENT_LOOPS =
      whole(
          "EVENT_LOOPS",
          "0",
          0,
          1_024,
          "Threads that serve sockets; 0: one for every two processors.");
  public static final Setting<Boolean> WARM_UP =
      flag(
          "WARM_UP",
          "true",
          "Before it is healthy, the process calls itself for up to a second, so that the first"
              + " calls of others are fast.");
  public static final Setting<Duration> DRAIN_DELAY =
      duration(
          "DRAIN_DELAY",
          "0s",
          "How long calls are still taken after health has turned NOT_SERVING.");
  public static final Setting<Duration> DRAIN_TIMEOUT =
      duration("DRAIN_TIMEOUT", "10s", "How long calls in flight may then take to finish.");

  private ProcessCatalogue() {}
}
