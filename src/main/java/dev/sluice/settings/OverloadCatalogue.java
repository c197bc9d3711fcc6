package dev.sluice.settings;

import static dev.sluice.settings.Kinds.choice;
import static dev.sluice.settings.Kinds.text;
import static dev.sluice.settings.Kinds.whole;

/** The part of the catalogue that says what is done where more comes than can be answered. */
public final class OverloadCatalogue {
  public static final Setting<String> REDIS_CONCURRENCY =
      choice(
          "REDIS_CONCURRENCY",
          "deadline",
          "What bounds the calls under way at a Redis, so that those that it takes are answered in"
              + " time: deadline, vegas, gradient or off.",
          "deadline",
          "vegas",
          "gradient",
          "off");
  public static final Setting<String> PRIORITY_DESCRIPTOR_KEY =
      text(
          "PRIORITY_DESCRIPTOR_KEY",
          "",
          "Key of a descriptor entry that states the priority of a request: high, medium or low."
              + " It is believed, so clients must not be able to set it. Unset: rules state it.");
  public static final Setting<String> DOOR_CONCURRENCY =
      choice(
          "DOOR_CONCURRENCY",
          "fixed",
          "What bounds the calls under way at the gRPC port: fixed, deadline, vegas, gradient or"
              + " off. What is beyond gets UNAVAILABLE.",
          "fixed",
          "deadline",
          "vegas",
          "gradient",
          "off");
  public static final Setting<Integer> DOOR_MAX_CALLS =
      whole(
          "DOOR_MAX_CALLS",
          "4000",
          4,
          1_000_000,
          "The most calls that may be under way there, whatever was learned.");

  private OverloadCatalogue() {}
}
