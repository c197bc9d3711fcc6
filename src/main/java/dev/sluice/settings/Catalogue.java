package dev.sluice.settings;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Every setting there is. The README's table is made from it. */
public final class Catalogue {
  private static final int MOST_PORTS = 65_535;

  public static final Setting<String> HOST = text("HOST", "0.0.0.0", "Address of the HTTP port.");
  public static final Setting<Integer> PORT =
      port("PORT", "8080", "HTTP port: /json and /healthcheck.");
  public static final Setting<String> GRPC_HOST =
      text("GRPC_HOST", "0.0.0.0", "Address of the gRPC port.");
  public static final Setting<Integer> GRPC_PORT =
      port("GRPC_PORT", "8081", "gRPC port: the rate limit service, health and reflection.");
  public static final Setting<InetSocketAddress> PROMETHEUS_ADDR =
      new Setting<>(
          "PROMETHEUS_ADDR",
          ":9090",
          "host:port or :port",
          "Address of the metrics port.",
          Readers::address);
  public static final Setting<String> PROMETHEUS_PATH =
      text("PROMETHEUS_PATH", "/metrics", "Path of the metrics.");
  public static final Setting<Duration> GRPC_MAX_CONNECTION_AGE =
      duration(
          "GRPC_MAX_CONNECTION_AGE",
          "24h",
          "After this long a connection is asked to be made anew.");
  public static final Setting<Duration> GRPC_MAX_CONNECTION_AGE_GRACE =
      duration("GRPC_MAX_CONNECTION_AGE_GRACE", "1h", "How long its calls may then go on.");

  public static final Setting<String> RUNTIME_ROOT =
      text(
          "RUNTIME_ROOT",
          "",
          "Where rule files are; unset: the directory given to serve, else config/.");
  public static final Setting<String> RUNTIME_SUBDIRECTORY =
      text("RUNTIME_SUBDIRECTORY", "", "Directory below RUNTIME_ROOT.");
  public static final Setting<String> RUNTIME_APPDIRECTORY =
      text("RUNTIME_APPDIRECTORY", "config", "Directory below that, with the rule files in it.");
  public static final Setting<Boolean> MERGE_DOMAIN_CONFIG =
      flag("MERGE_DOMAIN_CONFIG", "false", "Several rule files may have one domain together.");
  public static final Setting<String> RELOAD_POLICY =
      new Setting<>(
          "RELOAD_POLICY",
          "strict",
          "strict or isolate",
          "With a problem in a rule file, strict changes nothing; isolate takes the good domains.",
          Readers::reloadPolicy);
  public static final Setting<Boolean> SHADOW_MODE =
      flag(
          "SHADOW_MODE",
          "false",
          "Allow every request; statuses and metrics still say what would be denied.");

  public static final Setting<Boolean> QUOTA_MODE =
      flag(
          "QUOTA_MODE",
          "false",
          "Treat every rule as a quota rule: deny only what all of them deny.");

  public static final Setting<String> REDIS_URL =
      text(
          "REDIS_URL",
          "",
          "host:port, redis://… or rediss://…; unset: buckets in the memory of this process.");
  public static final Setting<Duration> REDIS_COMMAND_TIMEOUT =
      new Setting<>(
          "REDIS_COMMAND_TIMEOUT",
          "8ms",
          "a duration such as 8ms",
          "How long Redis may take to decide before the bucket in memory does.",
          Readers::positive);
  public static final Setting<Integer> REDIS_QUEUE_SIZE =
      whole(
          "REDIS_QUEUE_SIZE",
          "4096",
          1,
          1_000_000,
          "How many calls may wait for Redis at one time.");
  public static final Setting<String> CACHE_KEY_PREFIX =
      text("CACHE_KEY_PREFIX", "rl:", "What every key in Redis begins with.");
  public static final Setting<Integer> LOCAL_BUCKETS =
      whole(
          "LOCAL_BUCKETS",
          "500000",
          1,
          100_000_000,
          "How many buckets are kept in memory at most.");

  public static final Setting<Integer> EVENT_LOOPS =
      whole(
          "EVENT_LOOPS",
          "0",
          0,
          1_024,
          "Threads that serve sockets; 0: one for every two processors.");
  public static final Setting<Duration> DRAIN_DELAY =
      duration(
          "DRAIN_DELAY",
          "0s",
          "How long calls are still taken after health has turned NOT_SERVING.");
  public static final Setting<Duration> DRAIN_TIMEOUT =
      duration("DRAIN_TIMEOUT", "10s", "How long calls in flight may then take to finish.");

  public static final Setting<String> LOG_LEVEL =
      new Setting<>(
          "LOG_LEVEL",
          "info",
          "error, warn, info, debug or trace",
          "Least weight of what is logged.",
          Readers::logLevel);

  private Catalogue() {}

  /** All settings, in the order of the README's table. */
  public static List<Setting<?>> all() {
    return List.of(
        HOST,
        PORT,
        GRPC_HOST,
        GRPC_PORT,
        GRPC_MAX_CONNECTION_AGE,
        GRPC_MAX_CONNECTION_AGE_GRACE,
        PROMETHEUS_ADDR,
        PROMETHEUS_PATH,
        RUNTIME_ROOT,
        RUNTIME_SUBDIRECTORY,
        RUNTIME_APPDIRECTORY,
        MERGE_DOMAIN_CONFIG,
        RELOAD_POLICY,
        SHADOW_MODE,
        QUOTA_MODE,
        REDIS_URL,
        REDIS_COMMAND_TIMEOUT,
        REDIS_QUEUE_SIZE,
        CACHE_KEY_PREFIX,
        LOCAL_BUCKETS,
        EVENT_LOOPS,
        DRAIN_DELAY,
        DRAIN_TIMEOUT,
        LOG_LEVEL);
  }

  private static Setting<String> text(String name, String standard, String meaning) {
    return new Setting<>(name, standard, "text", meaning, Function.identity());
  }

  private static Setting<Boolean> flag(String name, String standard, String meaning) {
    return new Setting<>(name, standard, "true or false", meaning, Readers::flag);
  }

  private static Setting<Duration> duration(String name, String standard, String meaning) {
    return new Setting<>(
        name, standard, "a duration such as 150ms or 1h30m", meaning, Readers::duration);
  }

  private static Setting<Integer> port(String name, String standard, String meaning) {
    return whole(name, standard, 0, MOST_PORTS, meaning);
  }

  private static Setting<Integer> whole(
      String name, String standard, int least, int most, String meaning) {
    String expected = String.format("a whole number from %d to %d", least, most);
    return new Setting<>(
        name, standard, expected, meaning, text -> Readers.between(text, least, most));
  }
}
