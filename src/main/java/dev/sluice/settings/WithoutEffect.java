package dev.sluice.settings;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Variables of the reference server that can be ignored without a change in what is limited. Their
 * values still have to be of their kind. The README's list is made from it.
 */
final class WithoutEffect {
  private static final List<Setting<?>> FLAGS =
      all(
          "false",
          "true or false",
          Readers::flag,
          "RUNTIME_IGNOREDOTFILES",
          "USE_PROMETHEUS",
          "REDIS_HEALTH_CHECK_ACTIVE_CONNECTION",
          "MEMCACHE_TLS",
          "MEMCACHE_TLS_SKIP_HOSTNAME_VERIFICATION");

  private static final List<Setting<?>> NUMBERS =
      all(
          "0",
          "a number",
          Readers::number,
          "EXPIRATION_JITTER_MAX_SECONDS",
          "LOCAL_CACHE_SIZE_IN_BYTES",
          "REDIS_POOL_SIZE",
          "REDIS_PIPELINE_LIMIT",
          "REDIS_CLUSTER_PIPELINE_PARALLELISM",
          "REDIS_PERSECOND_POOL_SIZE",
          "REDIS_PERSECOND_PIPELINE_LIMIT",
          "REDIS_PERSECOND_CLUSTER_PIPELINE_PARALLELISM",
          "MEMCACHE_MAX_IDLE_CONNS",
          "XDS_CLIENT_BACKOFF_RANDOM_FACTOR");

  private static final List<Setting<?>> DURATIONS =
      all(
          "0",
          "a duration such as 150ms or 1h30m",
          Readers::duration,
          "REDIS_PIPELINE_WINDOW",
          "REDIS_PERSECOND_PIPELINE_WINDOW",
          "REDIS_STARTUP_INITIAL_INTERVAL",
          "REDIS_STARTUP_MAX_INTERVAL",
          "REDIS_STARTUP_MAX_ELAPSED_TIME",
          "MEMCACHE_SRV_REFRESH");

  private static final List<Setting<?>> TEXTS =
      all(
          "",
          "text",
          Function.identity(),
          "GRPC_SERVER_TLS_CA_CERT",
          "PROMETHEUS_MAPPER_YAML",
          "REDIS_POOL_ON_EMPTY_BEHAVIOR",
          "REDIS_PERSECOND_POOL_ON_EMPTY_BEHAVIOR",
          "MEMCACHE_HOST_PORT",
          "MEMCACHE_SRV",
          "MEMCACHE_TLS_CLIENT_CERT",
          "MEMCACHE_TLS_CLIENT_KEY",
          "MEMCACHE_TLS_CACERT");

  private static final List<Setting<?>> ALL =
      Stream.of(FLAGS, NUMBERS, DURATIONS, TEXTS).flatMap(List::stream).toList();

  private static final Set<String> NAMES =
      ALL.stream().map(Setting::name).collect(Collectors.toUnmodifiableSet());

  private WithoutEffect() {}

  /** All of them. */
  static List<Setting<?>> all() {
    return ALL;
  }

  /** Whether a variable is one of them. */
  static boolean has(String name) {
    return NAMES.contains(name);
  }

  private static List<Setting<?>> all(
      String standard, String expected, Function<String, ?> reader, String... names) {
    return Stream.of(names)
        .<Setting<?>>map(
            it -> new Setting<>(it, standard, expected, "Has no effect.", reader::apply))
        .toList();
  }
}
