package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.testing.RecordedLog;
import dev.sluice.testing.RedisProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The calls that a process makes to itself before it is healthy. */
final class WarmUpIT {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Pattern SCRIPT_CALLS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");
  private static final Map<String, String> RULES =
      Map.of(
          "a.yaml",
          """
          domain: a
          descriptors:
            - key: k
              rate_limit: {unit: day, requests_per_unit: 5}
          """);

  @Test
  void redisIsExercisedBeforeHealthAndNothingOfItIsLeft() {
    try (RedisProcess redis = RedisProcess.start();
        RecordedLog log = RecordedLog.of("dev.sluice");
        InProcessServer server =
            InProcessServer.of(RULES, Map.of("WARM_UP", "true", "REDIS_URL", redis.url()))) {
      awaitHealth(server);
      assertThat(scriptCalls(redis)).isPositive();
      assertThat(get(server.metrics("/metrics")).body())
          .contains("sluice_requests_total{verdict=\"ok\",} 0.0")
          .contains("sluice_requests_total{verdict=\"over_limit\",} 0.0")
          .contains("sluice_bucket_decisions_total{by=\"redis\",verdict=\"conforms\",} 0.0")
          .contains("ratelimit_service_total_requests{grpc_method=\"ShouldRateLimit\",} 0.0")
          .doesNotContain("warm-up");
      await().atMost(LONG).until(() -> redis.ask(it -> it.keys("*warm-up*")).isEmpty());
      assertThat(log.contains("does not decide")).isFalse();
      assertThat(log.contains("warm-up")).isFalse();
    }
  }

  @Test
  void redisIsLeftAloneWhereItIsSwitchedOff() {
    try (RedisProcess redis = RedisProcess.start();
        InProcessServer server =
            InProcessServer.of(RULES, Map.of("WARM_UP", "false", "REDIS_URL", redis.url()))) {
      awaitHealth(server);
      assertThat(scriptCalls(redis)).isZero();
    }
  }

  @Test
  void healthDoesNotWaitForRedis() {
    try (RecordedLog log = RecordedLog.of("dev.sluice");
        InProcessServer server =
            InProcessServer.of(RULES, Map.of("WARM_UP", "true", "REDIS_URL", "127.0.0.1:1"))) {
      awaitHealth(server);
      assertThat(log.contains("does not decide")).isFalse();
      assertThat(log.contains("warm-up")).isFalse();
      assertThat(log.count("cannot be reached")).isOne();
    }
  }

  @Test
  void serverMayStopInTheMiddleOfIt() {
    try (RecordedLog log = RecordedLog.of("dev.sluice");
        InProcessServer server = InProcessServer.of(RULES, Map.of("WARM_UP", "true"))) {
      server.stop();
      assertThat(log.contains("warm-up")).isFalse();
    }
  }

  private static void awaitHealth(InProcessServer server) {
    await().atMost(LONG).until(() -> get(server.http("/healthcheck")).statusCode() == 200);
  }

  private static long scriptCalls(RedisProcess redis) {
    return SCRIPT_CALLS
        .matcher(redis.ask(it -> it.info("commandstats")))
        .results()
        .map(MatchResult::group)
        .mapToLong(it -> Long.parseLong(it.substring(it.indexOf('=') + 1)))
        .sum();
  }

  private static HttpResponse<String> get(URI uri) {
    return HttpClient.newHttpClient()
        .sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .join();
  }
}
