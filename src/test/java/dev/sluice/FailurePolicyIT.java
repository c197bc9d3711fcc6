package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.testing.Exposition;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.Relay;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers of a server see while its real Redis is away or hangs, rule by rule. */
final class FailurePolicyIT {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final String DEGRADED = "x-ratelimit-degraded";
  private static final String RULES =
      """
      domain: f
      descriptors:
        - {key: open, rate_limit: {unit: hour, requests_per_unit: 10, on_backend_failure: allow}}
        - {key: login, rate_limit: {unit: hour, requests_per_unit: 5, on_backend_failure: deny}}
        - {key: mesh, rate_limit: {unit: hour, requests_per_unit: 5, on_backend_failure: error}}
        - {key: k, rate_limit: {unit: day, requests_per_unit: 10}}
      """;

  @TempDir private Path scratch;
  private final RedisProcess redis = RedisProcess.start();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    redis.close();
  }

  @Test
  void eachRuleIsDecidedByItsPolicyAndTheStricterOneWins() throws Exception {
    try (InProcessServer server = server(Map.of("DEGRADED_HEADER", "true"))) {
      assertThat(header(ask(server, "login", "ida"), DEGRADED)).isEmpty();
      redis.kill();
      for (int i = 0; i < 30; i++) {
        RateLimitResponse open = ask(server, "open", "x");
        assertThat(open.getOverallCode()).isEqualTo(Code.OK);
        assertThat(header(open, DEGRADED)).contains("1");
      }
      for (int i = 0; i < 10; i++) {
        RateLimitResponse login = ask(server, "login", "eve");
        assertThat(login.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(header(login, "Retry-After").orElse("none")).isIn("1", "2", "3");
        assertThat(ask(server, "k", "v").getOverallCode()).isEqualTo(Code.OK);
      }
      assertThat(ask(server, "k", "v").getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(server.client().shouldRateLimit(both("open", "login")).getOverallCode())
          .isEqualTo(Code.OVER_LIMIT);
      assertThat(server.client().shouldRateLimit(both("mesh", "login")).getOverallCode())
          .isEqualTo(Code.OVER_LIMIT);
      for (RateLimitRequest request : List.of(both("mesh", "mesh"), both("mesh", "open"))) {
        assertThatThrownBy(() -> server.client().shouldRateLimit(request))
            .isInstanceOfSatisfying(
                StatusRuntimeException.class,
                it -> {
                  assertThat(it.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                  assertThat(it.getMessage()).contains("on_backend_failure of a rule is error");
                });
      }
      HttpResponse<String> json = json(server, "mesh");
      assertThat(json.statusCode()).isEqualTo(503);
      assertThat(json.body()).contains("on_backend_failure of a rule is error");
      assertThat(get(server.http("/healthcheck")).statusCode()).isEqualTo(200);

      Exposition page = Exposition.at(server.metrics("/metrics"));
      assertThat(decided(page, "allow", "allowed")).isEqualTo(30);
      assertThat(decided(page, "deny", "denied")).isEqualTo(12);
      assertThat(decided(page, "error", "failed")).isEqualTo(3);
      assertThat(decided(page, "local", "allowed")).isEqualTo(10);
      assertThat(decided(page, "local", "denied")).isEqualTo(1);

      redis.restart();
      await().atMost(LONG).until(() -> ask(server, "login", "new").getOverallCode() == Code.OK);
      assertThat(header(ask(server, "login", "new"), DEGRADED)).isEmpty();
    }
  }

  @Test
  void theDomainAndTheProcessSpeakForRulesThatDoNot() {
    Map<String, String> files =
        Map.of(
            "f.yaml",
            RULES,
            "g.yaml",
            RULES.replace("domain: f", "domain: g\non_backend_failure: error"));
    Map<String, String> settings =
        Map.of("REDIS_URL", redis.url(), "ON_BACKEND_FAILURE", "deny", "REDIS_TIMEOUT", "1s");
    redis.kill();
    try (InProcessServer server = InProcessServer.of(files, settings)) {
      assertThat(ask(server, "k", "v").getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(ask(server, "open", "v").getOverallCode()).isEqualTo(Code.OK);
      RateLimitRequest request = RateLimitClient.request("g", "k", "v");
      assertThatThrownBy(() -> server.client().shouldRateLimit(request))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("UNAVAILABLE");
    }
  }

  @Test
  void aBucketThatIsEmptyStaysEmptyInTheOutageAndARestartedRedisIsFull() {
    try (InProcessServer server = server(Map.of())) {
      for (int i = 0; i < 11; i++) {
        assertThat(ask(server, "k", "v").getOverallCode())
            .isEqualTo(i < 10 ? Code.OK : Code.OVER_LIMIT);
      }
      assertThat(ask(server, "k", "other").getOverallCode()).isEqualTo(Code.OK);
      redis.kill();
      assertThat(ask(server, "k", "v").getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(passing(server, "other", 20)).isEqualTo(9);
      redis.restart();
      // What Redis denied may be denied again without asking it, for a second.
      await().atMost(LONG).until(() -> ask(server, "k", "v").getOverallCode() == Code.OK);
      assertThat(passing(server, "v", 20)).isEqualTo(9);
    }
  }

  @Test
  void twoServersCountThemselvesAndShareTheLimitWhileRedisIsAway() {
    try (InProcessServer one = server(Map.of());
        InProcessServer two = server(Map.of())) {
      await().atMost(LONG).until(() -> replicas(one) == 2 && replicas(two) == 2);
      redis.kill();
      assertThat(passing(one, "v", 20)).isEqualTo(5);
      assertThat(passing(two, "v", 20)).isEqualTo(5);
      assertThat(replicas(one)).isEqualTo(2);
    }
  }

  @Test
  void theSettingCountsWhereItIsTheLarger() {
    try (InProcessServer server = server(Map.of("REPLICAS", "5"))) {
      assertThat(replicas(server)).isEqualTo(5);
      redis.kill();
      assertThat(passing(server, "v", 20)).isEqualTo(2);
    }
  }

  @Test
  void whileRedisHangsPoliciesDecide() {
    try (InProcessServer server = server(Map.of())) {
      assertThat(ask(server, "k", "v").getOverallCode()).isEqualTo(Code.OK);
      redis.pause();
      try {
        assertThat(passing(server, "v", 20)).isEqualTo(9);
        assertThat(ask(server, "open", "v").getOverallCode()).isEqualTo(Code.OK);
        assertThat(ask(server, "login", "v").getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      } finally {
        redis.resume();
      }
      await().atMost(LONG).until(() -> ask(server, "login", "x").getOverallCode() == Code.OK);
    }
  }

  @Test
  void readinessFollowsRedisForThoseWhoWantItAndCallsAreAnsweredAllTheSame() throws Exception {
    try (InProcessServer server = server(Map.of("READINESS_NEEDS_REDIS", "true"))) {
      URI health = server.http("/healthcheck");
      await().atMost(LONG).until(() -> get(health).statusCode() == 200);
      redis.kill();
      await().atMost(LONG).until(() -> get(health).statusCode() == 500);
      assertThat(ask(server, "k", "v").getOverallCode()).isEqualTo(Code.OK);
      redis.restart();
      await().atMost(LONG).until(() -> get(health).statusCode() == 200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "cluster"})
  void aRedisThatTakesConnectionsAndSaysNothingDoesNotKeepAServerFromStarting(String type) {
    try (RedisProcess quiet =
            RedisProcess.with(
                "--cluster-enabled",
                type.equals("cluster") ? "yes" : "no",
                "--cluster-config-file",
                scratch.resolve("nodes").toString());
        Relay network = new Relay(quiet.port())) {
      if (type.equals("cluster")) {
        quiet.tell(
            commands -> {
              commands.clusterAddSlots(IntStream.range(0, 16_384).toArray());
              commands.configSet("cluster-announce-port", String.valueOf(network.port()));
            });
      }
      network.swallow();
      try (InProcessServer server =
          server(Map.of("REDIS_URL", network.url(), "REDIS_TYPE", type))) {
        assertThat(passing(server, "v", 20)).isEqualTo(10);
        assertThat(ask(server, "login", "v").getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        network.mend();
        await().atMost(SOON).until(() -> ask(server, "login", "x").getOverallCode() == Code.OK);
      }
    }
  }

  private InProcessServer server(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    // A busy machine needs longer than 8 ms for a Redis that is well.
    all.putAll(Map.of("REDIS_URL", redis.url(), "REDIS_COMMAND_TIMEOUT", "500ms"));
    all.putAll(settings);
    InProcessServer server = InProcessServer.of(Map.of("f.yaml", RULES), all);
    await().atMost(LONG).until(() -> get(server.http("/healthcheck")).statusCode() == 200);
    return server;
  }

  private static RateLimitResponse ask(InProcessServer server, String key, String value) {
    return server.client().shouldRateLimit(RateLimitClient.request("f", key, value));
  }

  private static int passing(InProcessServer server, String value, int calls) {
    int passing = 0;
    for (int i = 0; i < calls; i++) {
      passing += ask(server, "k", value).getOverallCode() == Code.OK ? 1 : 0;
    }
    return passing;
  }

  private static RateLimitRequest both(String one, String other) {
    RateLimitRequest.Builder request = RateLimitClient.request("f", one, "b").toBuilder();
    return request
        .addDescriptors(RateLimitClient.request("f", other, "c").getDescriptors(0))
        .build();
  }

  private static Optional<String> header(RateLimitResponse response, String name) {
    return response.getResponseHeadersToAddList().stream()
        .filter(it -> it.getKey().equals(name))
        .map(it -> it.getValue())
        .findFirst();
  }

  private static double replicas(InProcessServer server) {
    return Exposition.at(server.metrics("/metrics")).value("sluice_replicas");
  }

  /** The sum over all reasons. */
  private static double decided(Exposition page, String policy, String verdict) {
    return page.samples().entrySet().stream()
        .filter(it -> it.getKey().startsWith("sluice_local_decisions_total{policy=\"" + policy))
        .filter(it -> it.getKey().endsWith("verdict=\"" + verdict + "\"}"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  private HttpResponse<String> json(InProcessServer server, String key) throws Exception {
    String body =
        "{\"domain\":\"f\",\"descriptors\":[{\"entries\":[{\"key\":\"%s\",\"value\":\"v\"}]}]}";
    HttpRequest request =
        HttpRequest.newBuilder(server.http("/json"))
            .POST(HttpRequest.BodyPublishers.ofString(body.formatted(key)))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  private HttpResponse<String> get(URI address) throws Exception {
    return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
  }
}
