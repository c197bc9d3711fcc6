package dev.sluice.settings;

import java.util.List;
import java.util.stream.Stream;

/** The settings of the catalogue in the order of the README's table. */
final class Listing {
  private Listing() {}

  static List<Setting<?>> all() {
    return Stream.of(
            ofPorts(),
            StatsCatalogue.all(),
            TracingCatalogue.all(),
            ControlPlaneCatalogue.all(),
            ofRules(),
            ofRedis(),
            ofSecondRedis(),
            ofBuckets(),
            ofTheProcess(),
            LocalCatalogue.all())
        .<Setting<?>>flatMap(List::stream)
        .toList();
  }

  private static List<Setting<?>> ofPorts() {
    return List.of(
        Catalogue.HOST,
        Catalogue.PORT,
        Catalogue.GRPC_HOST,
        Catalogue.GRPC_PORT,
        Catalogue.GRPC_MAX_CONNECTION_AGE,
        Catalogue.GRPC_MAX_CONNECTION_AGE_GRACE,
        Catalogue.GRPC_UDS,
        Catalogue.GRPC_SERVER_USE_TLS,
        Catalogue.GRPC_SERVER_TLS_CERT,
        Catalogue.GRPC_SERVER_TLS_KEY,
        Catalogue.GRPC_CLIENT_TLS_CACERT,
        Catalogue.GRPC_CLIENT_TLS_SAN,
        Catalogue.PROMETHEUS_ADDR,
        Catalogue.PROMETHEUS_PATH,
        Catalogue.PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS,
        Catalogue.METRICS_MAX_SERIES,
        Catalogue.NEAR_LIMIT_RATIO,
        Catalogue.DEBUG_HOST,
        Catalogue.DEBUG_PORT);
  }

  private static List<Setting<?>> ofRules() {
    return List.of(
        Catalogue.RUNTIME_ROOT,
        Catalogue.RUNTIME_SUBDIRECTORY,
        Catalogue.RUNTIME_APPDIRECTORY,
        Catalogue.RUNTIME_WATCH_ROOT,
        Catalogue.FORCE_START_WITHOUT_INITIAL_CONFIG,
        Catalogue.HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED,
        Catalogue.MERGE_DOMAIN_CONFIG,
        Catalogue.RELOAD_POLICY,
        Catalogue.SHADOW_MODE,
        Catalogue.QUOTA_MODE,
        Catalogue.STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT,
        Catalogue.LIMIT_RESPONSE_HEADERS_ENABLED,
        Catalogue.LIMIT_LIMIT_HEADER,
        Catalogue.LIMIT_REMAINING_HEADER,
        Catalogue.LIMIT_RESET_HEADER,
        Catalogue.IETF_RATELIMIT_HEADERS,
        Catalogue.RETRY_AFTER_HEADER,
        Catalogue.RESPONSE_DYNAMIC_METADATA);
  }

  private static List<Setting<?>> ofRedis() {
    return List.of(
        RedisVariables.MAIN.url(),
        RedisVariables.MAIN.type(),
        RedisVariables.MAIN.socketType(),
        RedisVariables.MAIN.access().auth(),
        RedisVariables.MAIN.access().authFile(),
        RedisVariables.MAIN.access().sentinelAuth(),
        RedisVariables.MAIN.access().sentinelAuthFile(),
        RedisVariables.MAIN.tls(),
        Catalogue.REDIS_TLS_CACERT,
        Catalogue.REDIS_TLS_CLIENT_CERT,
        Catalogue.REDIS_TLS_CLIENT_KEY,
        Catalogue.REDIS_TLS_SKIP_HOSTNAME_VERIFICATION,
        RedisVariables.MAIN.timeout(),
        Catalogue.REDIS_COMMAND_TIMEOUT,
        OverloadCatalogue.REDIS_CONCURRENCY,
        OverloadCatalogue.PRIORITY_DESCRIPTOR_KEY,
        OverloadCatalogue.DOOR_CONCURRENCY,
        OverloadCatalogue.DOOR_MAX_CALLS,
        Catalogue.REDIS_QUEUE_SIZE,
        Catalogue.REDIS_BATCH_SIZE,
        Catalogue.REDIS_BATCH_CALLS);
  }

  private static List<Setting<?>> ofSecondRedis() {
    return List.of(
        Catalogue.REDIS_PERSECOND,
        RedisVariables.PER_SECOND.url(),
        RedisVariables.PER_SECOND.type(),
        RedisVariables.PER_SECOND.socketType(),
        RedisVariables.PER_SECOND.access().auth(),
        RedisVariables.PER_SECOND.access().authFile(),
        RedisVariables.PER_SECOND.access().sentinelAuth(),
        RedisVariables.PER_SECOND.access().sentinelAuthFile(),
        RedisVariables.PER_SECOND.tls(),
        RedisVariables.PER_SECOND.timeout());
  }

  private static List<Setting<?>> ofBuckets() {
    return List.of(
        Catalogue.ON_BACKEND_FAILURE,
        Catalogue.REPLICAS,
        Catalogue.DEGRADED_HEADER,
        Catalogue.READINESS_NEEDS_REDIS,
        Catalogue.CACHE_KEY_PREFIX,
        Catalogue.HASH_VALUE_SECRET,
        Catalogue.LOCAL_BUCKETS);
  }

  private static List<Setting<?>> ofTheProcess() {
    return List.of(
        ProcessCatalogue.EVENT_LOOPS,
        ProcessCatalogue.WARM_UP,
        ProcessCatalogue.DRAIN_DELAY,
        ProcessCatalogue.DRAIN_TIMEOUT,
        Catalogue.LOG_LEVEL,
        Catalogue.LOG_FORMAT);
  }
}
