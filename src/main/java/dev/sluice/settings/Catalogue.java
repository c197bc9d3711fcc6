package dev.sluice.settings;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

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
  public static final Setting<Boolean> PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS =
      flag(
          "PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS",
          "false",
          "Tell ratelimit_service_response_time_seconds in milliseconds, for old dashboards.");
  public static final Setting<Integer> METRICS_MAX_SERIES =
      whole(
          "METRICS_MAX_SERIES",
          "1000",
          0,
          1_000_000,
          "How many lines requests may add to the metrics; what is beyond is counted as `other`.");
  public static final Setting<Float> NEAR_LIMIT_RATIO =
      new Setting<>(
          "NEAR_LIMIT_RATIO",
          "0.8",
          "a number from 0 to 1",
          "The part of a bucket from which on hits are counted as near the limit.",
          Readers::ratio);
  public static final Setting<Duration> GRPC_MAX_CONNECTION_AGE =
      duration(
          "GRPC_MAX_CONNECTION_AGE",
          "24h",
          "After this long a connection is asked to be made anew.");
  public static final Setting<Duration> GRPC_MAX_CONNECTION_AGE_GRACE =
      duration("GRPC_MAX_CONNECTION_AGE_GRACE", "1h", "How long its calls may then go on.");
  public static final Setting<String> GRPC_UDS =
      text("GRPC_UDS", "", "Unix socket to listen on instead of the gRPC port.");
  public static final Setting<Boolean> GRPC_SERVER_USE_TLS =
      flag("GRPC_SERVER_USE_TLS", "false", "Speak TLS on the gRPC port.");
  public static final Setting<String> GRPC_SERVER_TLS_CERT =
      text(
          "GRPC_SERVER_TLS_CERT",
          "",
          "PEM file with the certificate, and those that vouch for it.");
  public static final Setting<String> GRPC_SERVER_TLS_KEY =
      text("GRPC_SERVER_TLS_KEY", "", "PEM file with its private key.");
  public static final Setting<String> GRPC_CLIENT_TLS_CACERT =
      text(
          "GRPC_CLIENT_TLS_CACERT",
          "",
          "PEM file: clients need a certificate that one of these vouches for.");
  public static final Setting<String> GRPC_CLIENT_TLS_SAN =
      text("GRPC_CLIENT_TLS_SAN", "", "DNS name that clients' certificates have to carry.");

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

  public static final Setting<Boolean> LIMIT_RESPONSE_HEADERS_ENABLED =
      flag(
          "LIMIT_RESPONSE_HEADERS_ENABLED",
          "false",
          "Send three headers that describe the limit that decided.");
  public static final Setting<String> LIMIT_LIMIT_HEADER =
      header("LIMIT_LIMIT_HEADER", "RateLimit-Limit", "Name of the one for the limit.");
  public static final Setting<String> LIMIT_REMAINING_HEADER =
      header("LIMIT_REMAINING_HEADER", "RateLimit-Remaining", "Name of the one for what is left.");
  public static final Setting<String> LIMIT_RESET_HEADER =
      header("LIMIT_RESET_HEADER", "RateLimit-Reset", "Name of the one for the wait, in seconds.");
  public static final Setting<Boolean> IETF_RATELIMIT_HEADERS =
      flag(
          "IETF_RATELIMIT_HEADERS",
          "false",
          "Send RateLimit-Policy and RateLimit as the current IETF draft has them.");
  public static final Setting<Boolean> RETRY_AFTER_HEADER =
      flag("RETRY_AFTER_HEADER", "true", "Send Retry-After with OVER_LIMIT.");
  public static final Setting<Boolean> RESPONSE_DYNAMIC_METADATA =
      flag(
          "RESPONSE_DYNAMIC_METADATA",
          "false",
          "Send the request and the metadata of its rules back as dynamic metadata.");

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
    return Stream.of(ofPorts(), ofLimiting()).flatMap(List::stream).toList();
  }

  private static List<Setting<?>> ofPorts() {
    return List.of(
        HOST,
        PORT,
        GRPC_HOST,
        GRPC_PORT,
        GRPC_MAX_CONNECTION_AGE,
        GRPC_MAX_CONNECTION_AGE_GRACE,
        GRPC_UDS,
        GRPC_SERVER_USE_TLS,
        GRPC_SERVER_TLS_CERT,
        GRPC_SERVER_TLS_KEY,
        GRPC_CLIENT_TLS_CACERT,
        GRPC_CLIENT_TLS_SAN,
        PROMETHEUS_ADDR,
        PROMETHEUS_PATH,
        PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS,
        METRICS_MAX_SERIES,
        NEAR_LIMIT_RATIO);
  }

  private static List<Setting<?>> ofLimiting() {
    return List.of(
        RUNTIME_ROOT,
        RUNTIME_SUBDIRECTORY,
        RUNTIME_APPDIRECTORY,
        MERGE_DOMAIN_CONFIG,
        RELOAD_POLICY,
        SHADOW_MODE,
        QUOTA_MODE,
        LIMIT_RESPONSE_HEADERS_ENABLED,
        LIMIT_LIMIT_HEADER,
        LIMIT_REMAINING_HEADER,
        LIMIT_RESET_HEADER,
        IETF_RATELIMIT_HEADERS,
        RETRY_AFTER_HEADER,
        RESPONSE_DYNAMIC_METADATA,
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

  private static Setting<String> header(String name, String standard, String meaning) {
    return new Setting<>(name, standard, "the name of a header", meaning, Readers::headerName);
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
