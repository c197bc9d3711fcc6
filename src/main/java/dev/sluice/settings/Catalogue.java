package dev.sluice.settings;

import static dev.sluice.settings.Kinds.choice;
import static dev.sluice.settings.Kinds.duration;
import static dev.sluice.settings.Kinds.flag;
import static dev.sluice.settings.Kinds.header;
import static dev.sluice.settings.Kinds.port;
import static dev.sluice.settings.Kinds.text;
import static dev.sluice.settings.Kinds.whole;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * Every setting that has an effect. The README's table is made from it; {@link OverloadCatalogue}
 * has some of them, {@link Fixed} and {@link WithoutEffect} have the other variables of the
 * reference server.
 */
public final class Catalogue {
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
  public static final Setting<String> DEBUG_HOST =
      text("DEBUG_HOST", "0.0.0.0", "Address of the debug port.");
  public static final Setting<Integer> DEBUG_PORT =
      port("DEBUG_PORT", "6070", "Debug port: /rlconfig, /stats, /threads, /loglevel, /version.");
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
          "/srv/runtime_data/current",
          "Where rule files are, if this or one of the next two is set;"
              + " else the directory given to serve, else config/.");
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
  public static final Setting<Boolean> RUNTIME_WATCH_ROOT =
      flag(
          "RUNTIME_WATCH_ROOT",
          "true",
          "Take files beside that directory too, whose names begin like it and go on with a dot.");
  public static final Setting<Boolean> FORCE_START_WITHOUT_INITIAL_CONFIG =
      flag(
          "FORCE_START_WITHOUT_INITIAL_CONFIG",
          "false",
          "Be healthy before there are good rules; calls get UNAVAILABLE until then.");
  public static final Setting<Boolean> HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED =
      flag(
          "HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED",
          "false",
          "Be healthy only once there are good rules, whatever the one above says.");
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

  public static final Setting<Boolean> STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT =
      flag(
          "STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT",
          "true",
          "Take nothing anywhere for a denied request; false: take what its other descriptors allow.");
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

  public static final Setting<Boolean> REDIS_PERSECOND =
      flag(
          "REDIS_PERSECOND",
          "false",
          "Keep the buckets of rules whose unit is a second in a Redis of their own.");
  public static final Setting<String> REDIS_TLS_CACERT =
      text("REDIS_TLS_CACERT", "", "PEM file of who vouches for Redis; unset: who Java trusts.");
  public static final Setting<String> REDIS_TLS_CLIENT_CERT =
      text("REDIS_TLS_CLIENT_CERT", "", "PEM file of the certificate that Redis is shown.");
  public static final Setting<String> REDIS_TLS_CLIENT_KEY =
      text("REDIS_TLS_CLIENT_KEY", "", "PEM file of its key, in PKCS#8.");
  public static final Setting<Boolean> REDIS_TLS_SKIP_HOSTNAME_VERIFICATION =
      flag(
          "REDIS_TLS_SKIP_HOSTNAME_VERIFICATION",
          "false",
          "Take a certificate of Redis that is for another name.");
  public static final Setting<Duration> REDIS_COMMAND_TIMEOUT =
      new Setting<>(
          "REDIS_COMMAND_TIMEOUT",
          "8ms",
          "a duration such as 8ms",
          "How long Redis may take to decide before the bucket in memory does.",
          Readers::positive);
  public static final Setting<String> ON_BACKEND_FAILURE =
      choice(
          "ON_BACKEND_FAILURE",
          "local",
          "Who decides when Redis does not, for rules that do not say so themselves: allow, local,"
              + " error or deny.",
          "allow",
          "local",
          "error",
          "deny");
  public static final Setting<Integer> REPLICAS =
      whole(
          "REPLICAS",
          "0",
          0,
          100_000,
          "How many servers share the limits at least; they count themselves in Redis, and the larger"
              + " number is used.");
  public static final Setting<Boolean> DEGRADED_HEADER =
      flag(
          "DEGRADED_HEADER",
          "false",
          "Send x-ratelimit-degraded: 1 with what was decided without Redis.");
  public static final Setting<Boolean> READINESS_NEEDS_REDIS =
      flag(
          "READINESS_NEEDS_REDIS",
          "false",
          "Be healthy only while Redis answers; calls are decided without it all the same.");
  public static final Setting<Integer> REDIS_QUEUE_SIZE =
      whole(
          "REDIS_QUEUE_SIZE",
          "4096",
          1,
          1_000_000,
          "How many requests may wait for Redis at one time.");
  public static final Setting<Integer> REDIS_BATCH_SIZE =
      whole(
          "REDIS_BATCH_SIZE",
          "128",
          1,
          10_000,
          "How many descriptors go together when requests wait for Redis; 1: each request alone.");
  public static final Setting<Integer> REDIS_BATCH_CALLS =
      whole(
          "REDIS_BATCH_CALLS",
          "2",
          1,
          1_000,
          "How many of these batches may be under way before requests wait.");
  public static final Setting<String> CACHE_KEY_PREFIX =
      text("CACHE_KEY_PREFIX", "rl:", "What every key in Redis begins with.");
  public static final Setting<String> HASH_VALUE_SECRET =
      text(
          "HASH_VALUE_SECRET",
          "",
          "Secret of the hashes that hash_value makes, the same for all replicas; unset: none.");
  public static final Setting<Integer> LOCAL_BUCKETS =
      whole(
          "LOCAL_BUCKETS",
          "500000",
          1,
          100_000_000,
          "How many buckets are kept in memory at most.");

  public static final Setting<String> LOG_LEVEL =
      new Setting<>(
          "LOG_LEVEL",
          "info",
          "error, warn, info, debug or trace",
          "Least weight of what is logged.",
          Readers::logLevel);

  public static final Setting<String> LOG_FORMAT =
      choice("LOG_FORMAT", "text", "text, or json: one object on each line.", "text", "json");

  private Catalogue() {}

  /** All settings, in the order of the README's table. */
  public static List<Setting<?>> all() {
    return Listing.all();
  }
}
