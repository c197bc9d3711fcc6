package dev.sluice.settings;

import static dev.sluice.settings.Kinds.choice;
import static dev.sluice.settings.Kinds.flag;
import static dev.sluice.settings.Kinds.port;
import static dev.sluice.settings.Kinds.text;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;

/** The settings of metrics that are sent; a part of the catalogue. */
public final class StatsCatalogue {
  public static final Setting<Boolean> USE_STATSD =
      flag("USE_STATSD", "true", "Send metrics to statsd, if somebody listens there.");
  public static final Setting<String> STATSD_HOST =
      text("STATSD_HOST", "localhost", "Where statsd is, or DogStatsD.");
  public static final Setting<Integer> STATSD_PORT = port("STATSD_PORT", "8125", "Its port.");
  public static final Setting<String> STATSD_PROTOCOL =
      choice(
          "STATSD_PROTOCOL", "tcp", "tcp or udp; DogStatsD always gets datagrams.", "tcp", "udp");
  public static final Setting<Duration> STATS_FLUSH_INTERVAL =
      new Setting<>(
          "STATS_FLUSH_INTERVAL",
          "10s",
          "a duration of 10ms or more, such as 10s",
          "How long metrics are gathered before they are sent.",
          Readers::interval);
  public static final Setting<SortedMap<String, String>> EXTRA_TAGS =
      new Setting<>(
          "EXTRA_TAGS",
          "",
          "pairs such as a:b,c:d",
          "Tags of all metrics that are sent, and labels of all ratelimit_ series: name:value,name2:value2.",
          Readers::tags);
  public static final Setting<Boolean> USE_DOG_STATSD =
      flag("USE_DOG_STATSD", "false", "Send metrics to DogStatsD instead, with tags.");
  public static final Setting<List<String>> USE_DOG_STATSD_MOGRIFIERS =
      new Setting<>(
          "USE_DOG_STATSD_MOGRIFIERS",
          "",
          "names such as A,B",
          "Names of mogrifiers, in the order in which they are tried; see below.",
          Readers::names);
  public static final Setting<Boolean> DISABLE_STATS =
      flag("DISABLE_STATS", "false", "Send no metrics; the metrics port stays.");

  private StatsCatalogue() {}

  /** The mogrifiers that are named, in their order. */
  public static List<MogrifierVariables> mogrifiers(Settings settings) {
    return settings.get(USE_DOG_STATSD_MOGRIFIERS).stream().map(MogrifierVariables::new).toList();
  }

  /** All of them, in the order of the README's table. */
  static List<Setting<?>> all() {
    return List.of(
        USE_STATSD,
        STATSD_HOST,
        STATSD_PORT,
        STATSD_PROTOCOL,
        STATS_FLUSH_INTERVAL,
        EXTRA_TAGS,
        USE_DOG_STATSD,
        USE_DOG_STATSD_MOGRIFIERS,
        DISABLE_STATS);
  }

  /** What is wrong with them together. */
  static List<String> problems(Settings settings) {
    if (!settings.get(USE_DOG_STATSD) || settings.get(DISABLE_STATS)) {
      return List.of();
    }
    if (settings.isSet(USE_STATSD) && settings.get(USE_STATSD)) {
      return List.of(USE_STATSD.refusal("true", "false, since USE_DOG_STATSD is true"));
    }
    return mogrifiers(settings).stream().flatMap(it -> it.problems(settings).stream()).toList();
  }
}
