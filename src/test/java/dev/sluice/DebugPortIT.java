package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a whole server says on its debug port. */
final class DebugPortIT {
  private static final Map<String, String> RULES =
      Map.of(
          "foo.yaml",
          """
          domain: foo
          descriptors:
            - key: k2
              value: v2
              shadow_mode: true
              descriptors:
                - key: below
                  rate_limit: {unlimited: true}
                - key: blocked
                  rate_limit: {unit: day, requests_per_unit: 0}
            - {key: k1, value: v1, rate_limit: {unit: minute, requests_per_unit: 3}}
            - {key: k1, value: "v*", shadow_mode: true, rate_limit: {unit: hour, requests_per_unit: 4}}
          """,
          "bar.yaml",
          "domain: bar\ndescriptors: [{key: k, rate_limit: {unit: week, requests_per_unit: 1}}]\n");

  @Test
  void theRulesInForceAreListedInTheWordsOfTheReference() throws Exception {
    try (InProcessServer server = InProcessServer.of(RULES)) {
      assertThat(get(server, "/rlconfig").body())
          .isEqualTo(
              """
              bar.k: unit=WEEK requests_per_unit=1, shadow_mode: false, quota_mode: false
              foo.k1_v*: unit=HOUR requests_per_unit=4, shadow_mode: true, quota_mode: false
              foo.k1_v1: unit=MINUTE requests_per_unit=3, shadow_mode: false, quota_mode: false
              foo.k2_v2.below: unit=UNKNOWN requests_per_unit=0, shadow_mode: false, quota_mode: false
              foo.k2_v2.blocked: unit=DAY requests_per_unit=0, shadow_mode: false, quota_mode: false
              """);
    }
  }

  @Test
  void withoutRulesTheListIsEmpty() throws Exception {
    try (InProcessServer server = InProcessServer.of(Map.of())) {
      HttpResponse<String> reply = get(server, "/rlconfig");
      assertThat(reply.statusCode()).isEqualTo(200);
      assertThat(reply.body()).isEmpty();
    }
  }

  @Test
  void everyPageIsListedAndThere() throws Exception {
    try (InProcessServer server = InProcessServer.of(RULES)) {
      assertThat(get(server, "/").body().lines().map(line -> line.replaceAll(":.*", "")))
          .containsExactly("/loglevel", "/rlconfig", "/stats", "/threads", "/version")
          .allSatisfy(path -> assertThat(get(server, path).statusCode()).isEqualTo(200));
      assertThat(get(server, "/stats").body())
          .contains("sluice_requests_total{verdict=\"ok\",} 0.0");
      assertThat(get(server, "/threads").body())
          .contains("sluice-rules TIMED_WAITING\n  at ", "dev.sluice.DebugPages.threads(");
      assertThat(get(server, "/version").body())
          .matches("sluice \\S+, Java " + System.getProperty("java.version") + "\n");
      assertThat(get(server, "/json").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void theLevelOfTheLogCanBeChanged() throws Exception {
    try (InProcessServer server = InProcessServer.of(RULES)) {
      String before = get(server, "/loglevel").body();
      try {
        assertThat(send(server, "PUT", "/loglevel?level=debug", "").body()).isEqualTo("DEBUG\n");
        assertThat(get(server, "/loglevel").body()).isEqualTo("DEBUG\n");
        assertThat(send(server, "POST", "/loglevel", "Warning\n").body()).isEqualTo("WARN\n");
        assertThat(get(server, "/loglevel").body()).isEqualTo("WARN\n");
      } finally {
        send(server, "PUT", "/loglevel", before);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"POST, loud, 400", "PUT, '', 400", "DELETE, debug, 405"})
  void whatIsNoLevelIsRefused(String method, String body, int status) throws Exception {
    try (InProcessServer server = InProcessServer.of(RULES)) {
      String before = get(server, "/loglevel").body();
      assertThat(send(server, method, "/loglevel", body).statusCode()).isEqualTo(status);
      assertThat(get(server, "/loglevel").body()).isEqualTo(before);
    }
  }

  @Test
  void aDebugPortThatIsTakenIsDoneWithout() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        InProcessServer server =
            InProcessServer.of(
                RULES,
                Map.of(
                    "DEBUG_HOST",
                    "127.0.0.1",
                    "DEBUG_PORT",
                    String.valueOf(taken.getLocalPort())))) {
      HttpRequest request = HttpRequest.newBuilder(server.http("/healthcheck")).build();
      assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode())
          .isEqualTo(200);
    }
  }

  private static HttpResponse<String> get(InProcessServer server, String path) throws Exception {
    return send(server, "GET", path, "");
  }

  private static HttpResponse<String> send(
      InProcessServer server, String method, String path, String body) throws Exception {
    URI address = server.debug(path);
    HttpRequest request =
        HttpRequest.newBuilder(address).method(method, BodyPublishers.ofString(body)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }
}
