package dev.sluice.settings;

import static dev.sluice.settings.Kinds.choice;
import static dev.sluice.settings.Kinds.whole;

import java.util.List;

/** The settings of what is decided here without asking Redis; a part of the catalogue. */
public final class LocalCatalogue {
  public static final Setting<Integer> DENY_CACHE_SIZE =
      whole(
          "DENY_CACHE_SIZE",
          "100000",
          0,
          100_000_000,
          "How many denials are remembered until they are over, for a second at most; 0: none.");
  public static final Setting<String> PACING =
      choice(
          "PACING",
          "off",
          "on: leave a bucket alone for up to 10 ms once it has denied, although units drip in.",
          "on",
          "off");
  public static final Setting<String> LEASES =
      choice(
          "LEASES",
          "off",
          "on: take units of busy buckets in advance, but for rules that say lease: off.",
          "on",
          "off");
  public static final Setting<Integer> LEASE_PERCENT =
      whole(
          "LEASE_PERCENT",
          "5",
          1,
          100,
          "How many per cent of a burst all replicas together may hold in advance.");

  private LocalCatalogue() {}

  /** All of them, in the order of the README's table. */
  static List<Setting<?>> all() {
    return List.of(DENY_CACHE_SIZE, PACING, LEASES, LEASE_PERCENT);
  }
}
