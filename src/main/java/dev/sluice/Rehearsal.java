package dev.sluice;

import dev.sluice.bucket.BucketStore;
import dev.sluice.decision.RateLimiter;
import dev.sluice.envoy.EnvoyRateLimitService;
import dev.sluice.envoy.GrpcServer;
import dev.sluice.envoy.Health;
import dev.sluice.load.Target;
import dev.sluice.rule.RuleBook;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.RuleFiles;
import dev.sluice.rulefile.RuleOptions;
import dev.sluice.rulefile.RuleText;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.Settings;
import dev.sluice.telemetry.CallTelemetry;
import dev.sluice.telemetry.DecisionTelemetry;
import dev.sluice.telemetry.Metrics;
import dev.sluice.telemetry.RuleSeries;
import dev.sluice.telemetry.RuleTelemetry;
import dev.sluice.telemetry.SeriesBudget;
import dev.sluice.telemetry.UnknownDomains;
import dev.sluice.tracing.Traces;
import dev.sluice.transport.EventLoops;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * A second server of the same make, for the process alone: the same layers with the same settings
 * and the same Redis, but rules, state and metrics of its own, on a free port of the loopback
 * address. What is tried on it leaves no trace in the first.
 *
 * <p>The prefix of its keys has 122 random bits, so no rule file and no other process names them,
 * and its buckets are full again, and gone, within a second.
 */
final class Rehearsal implements AutoCloseable {
  private static final Duration DRAIN = Duration.ofSeconds(1);

  static final String DOMAIN = "warm-up";

  private final EventLoops loops;
  private final Metrics metrics = new Metrics();
  private final Stores stores;
  private final GrpcServer grpc;

  /**
   * A server that listens.
   *
   * @param settings those of the first server, but for what they say of its ports
   * @throws RuntimeException if it cannot be had
   */
  Rehearsal(Settings settings, EventLoops loops) {
    this.loops = loops;
    Settings own = settings.with(changes(settings));
    stores = new Stores(own, loops, metrics, answers -> {}, Traces.OFF);
    try {
      grpc = grpc(own, service(own, stores.front()));
    } catch (IOException | RuntimeException e) {
      stores.close();
      throw e instanceof IOException io ? new UncheckedIOException(io) : (RuntimeException) e;
    }
  }

  /** Code that runs for the first time gets time, and keys are kept from those of others. */
  private static Map<String, String> changes(Settings settings) {
    String prefix = settings.get(Catalogue.CACHE_KEY_PREFIX) + DOMAIN + "-" + UUID.randomUUID();
    return Map.of("REDIS_COMMAND_TIMEOUT", "1s", "CACHE_KEY_PREFIX", prefix + ":");
  }

  private EnvoyRateLimitService service(Settings settings, BucketStore store) {
    SeriesBudget budget = new SeriesBudget(settings.get(Catalogue.METRICS_MAX_SERIES));
    RuleSeries series = new RuleSeries(metrics, budget, settings.get(Catalogue.NEAR_LIMIT_RATIO));
    RuleBook rules = rules();
    new RuleTelemetry(metrics, series, InstantSource.system()).accepted(rules);
    RateLimiter limiter =
        new RateLimiter(
            () -> Optional.of(rules),
            store,
            new RateLimiter.Modes(
                settings.get(Catalogue.SHADOW_MODE), settings.get(Catalogue.QUOTA_MODE)),
            new DecisionTelemetry(metrics, series, new UnknownDomains(metrics, budget)));
    return new EnvoyRateLimitService(limiter, Answers.format(settings));
  }

  private GrpcServer grpc(Settings settings, EnvoyRateLimitService service) throws IOException {
    CallTelemetry calls =
        new CallTelemetry(
            metrics, settings.get(Catalogue.PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS));
    return new GrpcServer(
        new GrpcServer.Listener(loopback(0), Optional.empty()),
        new GrpcServer.ConnectionAge(
            settings.get(Catalogue.GRPC_MAX_CONNECTION_AGE),
            settings.get(Catalogue.GRPC_MAX_CONNECTION_AGE_GRACE)),
        loops,
        new GrpcServer.Served(service, new Health(), calls));
  }

  private RuleBook rules() {
    ByteBuffer text = ByteBuffer.wrap(yaml().getBytes(StandardCharsets.UTF_8));
    Loading loading =
        RuleFiles.read(
            "warm-up", List.of(new RuleText.Read("warm-up.yaml", text)), RuleOptions.STRICT);
    if (loading instanceof Loading.Loaded loaded) {
      return loaded.rules();
    }
    throw new IllegalStateException("the rules of the warm-up are not good: " + loading);
  }

  private String yaml() {
    return """
        domain: %s
        descriptors:
          - key: caller
            rate_limit: {unit: second, requests_per_unit: 1000000}
          - key: plan
            value: "free*"
            descriptors:
              - key: caller
                rate_limit: {unit: minute, requests_per_unit: 60000000}
          - key: full
            rate_limit: {unit: second, requests_per_unit: 1}
        """
        .formatted(DOMAIN);
  }

  /** Completes, always well, once it knows whether Redis is there. */
  CompletionStage<Boolean> tried() {
    return stores.tried();
  }

  /** How it is called: as Envoy does, with a deadline. */
  Target target() {
    return new Target(
        loopback(grpc.port()),
        "/" + EnvoyRateLimitService.METHOD,
        List.of(new Target.Header("grpc-timeout", "1S")));
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Waits for calls under way, for a second at most. */
  @Override
  public void close() {
    grpc.drain(DRAIN);
    stores.close();
  }
}
