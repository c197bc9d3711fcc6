package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse.Code;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a whole server says on its HTTP ports besides decisions. */
final class HttpPortsIT {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Map<String, String> GOOD =
      Map.of(
          "d.yaml",
          "domain: d\ndescriptors: [{key: k, rate_limit: {unit: day, requests_per_unit: 1}}]\n");
  private static final String REJECTED = "sluice_rule_loads_total{result=\"error\",} 1.0";
  private static final Map<String, String> BAD = Map.of("d.yaml", "domain: [\n");

  @Test
  void healthIsOkOnceThereAreRules() throws Exception {
    try (InProcessServer server = InProcessServer.of(BAD)) {
      HttpResponse<String> before = get(server.http("/healthcheck"));
      server.reload(GOOD);
      HttpResponse<String> after = get(server.http("/healthcheck"));

      assertThat(before.statusCode()).isEqualTo(500);
      assertThat(before.body()).isEmpty();
      assertThat(after.statusCode()).isEqualTo(200);
      assertThat(after.body()).isEqualTo("OK");
    }
  }

  @Test
  void healthDoesNotWaitForRulesWhereTheSettingsSaySoAndCallsFailUntilThereAreSome()
      throws Exception {
    Map<String, String> force = Map.of("FORCE_START_WITHOUT_INITIAL_CONFIG", "true");
    try (InProcessServer server = InProcessServer.of(Map.of(), force)) {
      assertThat(get(server.http("/healthcheck")).statusCode()).isEqualTo(200);
      assertThatThrownBy(() -> code(server)).hasMessageStartingWith("UNAVAILABLE: no rules");

      server.reload(GOOD);
      assertThat(code(server)).isEqualTo(Code.OK);
      assertThat(code(server)).isEqualTo(Code.OVER_LIMIT);
    }
  }

  @Test
  void healthWaitsForRulesAllTheSameWhereTheSettingsSayThat() throws Exception {
    Map<String, String> settings =
        Map.of(
            "FORCE_START_WITHOUT_INITIAL_CONFIG", "true",
            "HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED", "true");
    try (InProcessServer server = InProcessServer.of(BAD, settings)) {
      assertThat(get(server.http("/healthcheck")).statusCode()).isEqualTo(500);

      server.reload(GOOD);
      assertThat(get(server.http("/healthcheck")).statusCode()).isEqualTo(200);
    }
  }

  private static Code code(InProcessServer server) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("d");
    request.addDescriptorsBuilder().addEntriesBuilder().setKey("k").setValue("v");
    return server.client().shouldRateLimit(request.build()).getOverallCode();
  }

  @Test
  void healthStaysOkWhenRulesTurnBad() throws Exception {
    try (InProcessServer server = InProcessServer.of(GOOD)) {
      server.write(BAD);
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> get(server.metrics("/metrics")).body().contains(REJECTED));

      assertThat(get(server.http("/healthcheck")).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aPathThatIsNotThereGets404() throws Exception {
    try (InProcessServer server = InProcessServer.of(GOOD)) {
      assertThat(get(server.http("/")).statusCode()).isEqualTo(404);
      assertThat(get(server.http("/json/more")).statusCode()).isEqualTo(404);
      assertThat(get(server.http("/metrics")).statusCode()).isEqualTo(404);
      assertThat(get(server.metrics("/json")).statusCode()).isEqualTo(404);
      assertThat(get(server.http("/%2e%2e/etc/passwd")).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aHeadRequestGetsTheStatusWithoutTheBody() throws Exception {
    try (InProcessServer server = InProcessServer.of(GOOD)) {
      HttpRequest.Builder head =
          HttpRequest.newBuilder(server.http("/healthcheck"))
              .method("HEAD", BodyPublishers.noBody());

      HttpResponse<String> reply = send(head);

      assertThat(reply.statusCode()).isEqualTo(200);
      assertThat(reply.body()).isEmpty();
      assertThat(get(server.http("/healthcheck")).body()).isEqualTo("OK");
    }
  }

  @Test
  void metricsComeInThePlainFormat() throws Exception {
    try (InProcessServer server = InProcessServer.of(GOOD)) {
      HttpResponse<String> reply = get(server.metrics("/metrics"));

      assertThat(reply.statusCode()).isEqualTo(200);
      assertThat(reply.headers().firstValue("Content-Type"))
          .contains("text/plain; version=0.0.4; charset=utf-8");
      assertThat(reply.body()).contains("# TYPE sluice_requests_total counter");
    }
  }

  @Test
  void metricsComeInTheOpenFormatWhereItIsAskedFor() throws Exception {
    try (InProcessServer server = InProcessServer.of(GOOD)) {
      HttpResponse<String> reply =
          send(
              HttpRequest.newBuilder(server.metrics("/metrics"))
                  .header(
                      "Accept",
                      "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"));

      assertThat(reply.headers().firstValue("Content-Type"))
          .contains("application/openmetrics-text; version=1.0.0; charset=utf-8");
      assertThat(reply.body()).contains("# TYPE sluice_requests counter").endsWith("# EOF\n");
    }
  }

  @Test
  void metricsCountWhatMetNoRuleAndNoDomain() throws Exception {
    try (InProcessServer server = InProcessServer.of(GOOD)) {
      for (int i = 0; i < 3; i++) {
        ask(server, "d", "other");
      }
      ask(server, "d", "k");
      ask(server, "dd", "k");
      ask(server, "dd", "k");

      assertThat(get(server.metrics("/metrics")).body())
          .contains("sluice_descriptors_total{status=\"unmatched\",} 5.0")
          .contains("sluice_descriptors_total{status=\"within_limit\",} 1.0")
          .contains("sluice_unknown_domain_total 2.0");
    }
  }

  private static void ask(InProcessServer server, String domain, String key) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain(domain);
    request.addDescriptorsBuilder().addEntriesBuilder().setKey(key).setValue("v");
    var unused = server.client().shouldRateLimit(request.build());
  }

  private static HttpResponse<String> get(URI address) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(address));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return CLIENT.send(request.timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
  }
}
