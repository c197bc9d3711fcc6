package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.testing.Exposition;
import dev.sluice.testing.OpenLoad;
import dev.sluice.testing.OpenLoad.Call;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.Relay;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server whose Redis takes a fifth of what it is sent: the way to it lets no more bytes through.
 */
@TestInstance(Lifecycle.PER_CLASS)
class SlowRedisIT {
  private static final int PER_SECOND = 500;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** What is sent for one bucket among others has about so many. */
  private static final int BYTES_OF_A_CALL = 120;

  /** More calls than are answered in time then. */
  private static final double FEW = 64;

  private static final String LIMIT = "sluice_redis_concurrency_limit{node=\"primary\"}";
  private static final String UNDER_WAY = "sluice_redis_calls_under_way{node=\"primary\"}";
  private static final String BASE = "sluice_redis_base_seconds{node=\"primary\"}";
  private static final String REFUSED = "sluice_redis_shed_total{priority=\"default\"}";
  private static final String RULES =
      """
      domain: s
      descriptors:
        - {key: k, rate_limit: {unit: day, requests_per_unit: 1000000}}
      """;

  private final RedisProcess redis = RedisProcess.start();

  @AfterAll
  void stop() {
    redis.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"deadline", "gradient", "vegas"})
  void asManyCallsGoToASlowRedisAsItAnswersAndAllOnceItIsWell(String algorithm) {
    try (Relay network = new Relay(redis.port());
        InProcessServer server =
            InProcessServer.of(
                Map.of("s.yaml", RULES),
                Map.of(
                    "REDIS_URL",
                    network.url(),
                    "REDIS_CONCURRENCY",
                    algorithm,
                    "REDIS_COMMAND_TIMEOUT",
                    "100ms",
                    "DEGRADED_HEADER",
                    "true"));
        OpenLoad load =
            new OpenLoad(
                server.grpcPort(),
                PER_SECOND,
                PATIENCE,
                number -> RateLimitClient.request("s", "k", "v" + number))) {
      eventually().until(() -> load.answers() > PER_SECOND && withoutRedis(load) < PER_SECOND / 20);
      Exposition well = page(server);
      int warm = load.answers();
      assertThat(well.value(BASE)).isPositive();

      network.narrow(BYTES_OF_A_CALL * PER_SECOND / 5);
      eventually().until(() -> page(server).value(REFUSED) - well.value(REFUSED) > PER_SECOND / 5);
      int slow = load.answers();
      eventually().until(() -> load.answers() > slow + PER_SECOND);
      Exposition then = page(server);
      assertThat(then.value(LIMIT)).isLessThanOrEqualTo(Math.min(well.value(LIMIT), FEW));
      assertThat(then.value(UNDER_WAY)).isLessThanOrEqualTo(FEW);
      assertThat(withoutRedis(load)).isBetween(PER_SECOND / 10L, PER_SECOND - 1L);

      network.narrow(0);
      eventually().until(() -> withoutRedis(load) < PER_SECOND / 20);
      List<Call> calls = load.endedSince(warm);
      assertThat(calls).allMatch(call -> call.code() == Status.Code.OK);
      assertThat(calls.stream().filter(call -> call.nanos() < PATIENCE.toNanos() / 10).count())
          .isGreaterThan(calls.size() * 9L / 10);
    }
  }

  private static Exposition page(InProcessServer server) {
    return Exposition.at(server.metrics("/metrics"));
  }

  /** How many of the last second's calls Redis did not decide. */
  private static long withoutRedis(OpenLoad load) {
    return load.endedSince(Math.max(0, load.answers() - PER_SECOND)).stream()
        .filter(Call::degraded)
        .count();
  }

  private static ConditionFactory eventually() {
    return await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(20));
  }
}
