package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.type.RateLimitUnit;
import dev.sluice.testing.Exposition;
import dev.sluice.testing.RateLimitClient;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The series of a whole server. */
final class MetricsIT {
  private static final String HITS = "ratelimit_service_rate_limit_total_hits";
  private static final String OVER = "ratelimit_service_rate_limit_over_limit";

  private static final String DAY = "rate_limit: {unit: day, requests_per_unit: 1000000}";

  private static InProcessServer server(String... descriptors) {
    return InProcessServer.of(Map.of("d.yaml", rules(descriptors)));
  }

  private static String rules(String... descriptors) {
    return "domain: d\ndescriptors: [" + String.join(", ", descriptors) + "]\n";
  }

  private static void ask(InProcessServer server, String domain, String... entries) {
    var unused = server.client().shouldRateLimit(RateLimitClient.request(domain, entries));
  }

  private static Exposition page(InProcessServer server) {
    return Exposition.at(server.metrics("/metrics"));
  }

  @Test
  void everySeriesIsThereAtZeroBeforeTheFirstCall() {
    try (InProcessServer server = server("{key: k, value: v, " + DAY + "}")) {
      Exposition page = page(server);

      for (String counter :
          List.of(
              "total_hits",
              "within_limit",
              "over_limit",
              "over_limit_with_local_cache",
              "near_limit",
              "shadow_mode")) {
        String name = "ratelimit_service_rate_limit_" + counter;
        assertThat(page.types()).containsEntry(name, "counter");
        assertThat(page.value(name + "{domain=\"d\",key1=\"k_v\"}")).isZero();
      }
      for (String name :
          List.of(
              "ratelimit_service_config_load_error",
              "ratelimit_service_global_shadow_mode",
              "ratelimit_service_should_rate_limit_error{err_type=\"redis_error\"}",
              "ratelimit_service_should_rate_limit_error{err_type=\"service_error\"}",
              "ratelimit_service_total_requests{grpc_method=\"ShouldRateLimit\"}",
              "ratelimit_service_response_time_seconds_count{grpc_method=\"ShouldRateLimit\"}",
              "ratelimit_redis_pool_cx_active",
              "ratelimit_redis_pool_cx_total",
              "ratelimit_redis_pool_cx_local_close",
              "sluice_unknown_domain_total",
              "sluice_rule_loads_total{result=\"error\"}",
              "sluice_redis_failures_total{reason=\"timeout\"}",
              "sluice_redis_failures_total{reason=\"unreachable\"}",
              "sluice_local_decisions_total{policy=\"local\",reason=\"timeout\",verdict=\"allowed\"}",
              "sluice_bucket_decisions_total{by=\"redis\",verdict=\"denied\"}",
              "sluice_bucket_decisions_total{by=\"stand_in\",verdict=\"conforms\"}",
              "sluice_calls_abandoned_total{grpc_method=\"ShouldRateLimit\"}",
              "sluice_rule_decisions_total{rule=\"d.k=v\",verdict=\"over_limit\"}")) {
        assertThat(page.value(name)).as(name).isZero();
      }
      assertThat(page.value("ratelimit_service_config_load_success")).isEqualTo(1);
      assertThat(page.value("sluice_rule_limit{rule=\"d.k=v\",unit=\"day\"}")).isEqualTo(1000000);
      assertThat(page.beginning("sluice_rules_info{fingerprint=\"")).hasSize(1);
      assertThat(page.value("sluice_rules_loaded_timestamp_seconds")).isGreaterThan(1.7e9);
    }
  }

  @Test
  void levelsBelowTheSecondAreSummed() {
    try (InProcessServer server =
        server(
            "{key: key1, value: val1, rate_limit: {unit: day, requests_per_unit: 0}, descriptors: ["
                + "{key: key2, value: val2, rate_limit: {unit: day, requests_per_unit: 0}}]}",
            "{key: key3, value: val3, descriptors: [{key: key4, value: val4,"
                + " rate_limit: {unit: day, requests_per_unit: 0},"
                + " descriptors: [{key: key5, value: val5,"
                + " rate_limit: {unit: day, requests_per_unit: 0}}]}]}")) {
      ask(server, "d", "key1", "val1");
      ask(server, "d", "key1", "val1", "key2", "val2");
      ask(server, "d", "key1", "val1", "key2", "val2");
      ask(server, "d", "key3", "val3", "key4", "val4");
      ask(server, "d", "key3", "val3", "key4", "val4", "key5", "val5");
      ask(server, "d", "key3", "val3", "key4", "val4", "key5", "val5");

      assertThat(page(server).beginning(OVER + "{"))
          .containsOnly(
              Map.entry(OVER + "{domain=\"d\",key1=\"key1_val1\"}", 1.0),
              Map.entry(OVER + "{domain=\"d\",key1=\"key1_val1\",key2=\"key2_val2\"}", 2.0),
              Map.entry(OVER + "{domain=\"d\",key1=\"key3_val3\",key2=\"key4_val4\"}", 3.0));
    }
  }

  @Test
  void aDetailedRuleIsCountedByTheValuesOfTheRequest() {
    try (InProcessServer server =
        server(
            "{key: unspec, detailed_metric: true, rate_limit: {unit: minute, requests_per_unit: 2}}")) {
      for (int i = 0; i < 3; i++) {
        ask(server, "d", "unspec", "unspecified_value");
      }

      assertThat(page(server).beginning(OVER + "{"))
          .containsOnly(Map.entry(OVER + "{domain=\"d\",key1=\"unspec_unspecified_value\"}", 1.0));
    }
  }

  @Test
  void namesAreWrittenAsInTheReferenceAndDotsDoNotShiftThem() {
    String odd = "\"path_/foo:*:bar|baz\"";
    try (InProcessServer server =
        InProcessServer.of(
            Map.of(
                "d.yaml",
                "domain: api.example.com\ndescriptors: [{key: "
                    + odd
                    + ", "
                    + DAY
                    + "}, {key: ip, value: 10.1.2.3, "
                    + DAY
                    + "}, {key: quote, value: 'a\"b\\c', "
                    + DAY
                    + "}]\n"))) {
      assertThat(page(server).beginning(HITS).keySet())
          .containsExactlyInAnyOrder(
              HITS + "{domain=\"api.example.com\",key1=\"path_/foo_*_bar_baz\"}",
              HITS + "{domain=\"api.example.com\",key1=\"ip_10_1_2_3\"}",
              HITS + "{domain=\"api.example.com\",key1=\"quote_a\\\"b\\\\c\"}");
      assertThat(page(server).beginning("sluice_rule_limit{rule=\"api.example.com.ip=10.1.2.3\""))
          .hasSize(1);
    }
  }

  @Test
  void anUnknownDomainIsCountedForEachDescriptor() {
    try (InProcessServer server = server("{key: k, " + DAY + "}")) {
      RateLimitRequest.Builder request = RateLimitClient.request("who-knows", "k", "v").toBuilder();
      request.addDescriptorsBuilder().addEntriesBuilder().setKey("k");
      var unused = server.client().shouldRateLimit(request.build());

      Exposition page = page(server);
      assertThat(page.value("ratelimit_service_rate_limit_who_knows_domain_not_found"))
          .isEqualTo(2);
      assertThat(page.value("sluice_unknown_domain_total")).isEqualTo(1);
    }
  }

  @Test
  void anOverrideIsCountedByTheEntriesOfTheRequest() {
    try (InProcessServer server = server("{key: k, " + DAY + "}")) {
      RateLimitRequest.Builder request = RateLimitClient.request("d", "k", "v").toBuilder();
      request
          .getDescriptorsBuilder(0)
          .getLimitBuilder()
          .setRequestsPerUnit(5)
          .setUnit(RateLimitUnit.MINUTE);
      var unused = server.client().shouldRateLimit(request.build());

      assertThat(page(server).value(HITS + "{domain=\"d\",key1=\"k_v\"}")).isEqualTo(1);
      assertThat(page(server).value(HITS + "{domain=\"d\",key1=\"k\"}")).isZero();
    }
  }

  @Test
  void callsAreCountedAndTimedByTheWayTheyCame() {
    try (InProcessServer server = server("{key: k, " + DAY + "}")) {
      for (int i = 0; i < 10; i++) {
        ask(server, "d", "k", "v");
      }
      assertThatThrownBy(() -> ask(server, "", "k", "v"))
          .isInstanceOf(StatusRuntimeException.class);
      post(server.http("/json"), "{\"domain\":\"d\",\"descriptors\":[{\"entries\":[]}]}");
      post(server.http("/json"), "}");

      await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> calls(page(server), "ShouldRateLimit") == 11);
      Exposition page = page(server);
      assertThat(calls(page, "json")).isEqualTo(2);
      assertThat(
              page.value("ratelimit_service_should_rate_limit_error{err_type=\"service_error\"}"))
          .isEqualTo(2);
      String time = "ratelimit_service_response_time_seconds_";
      String method = "grpc_method=\"ShouldRateLimit\"";
      assertThat(page.types())
          .containsEntry("ratelimit_service_response_time_seconds", "histogram");
      assertThat(page.value(time + "count{" + method + "}")).isEqualTo(11);
      assertThat(page.value(time + "bucket{" + method + ",le=\"+Inf\"}")).isEqualTo(11);
      assertThat(page.value(time + "bucket{" + method + ",le=\"0.005\"}")).isLessThanOrEqualTo(11);
      assertThat(page.value(time + "sum{" + method + "}")).isBetween(1e-5, 10.0);
    }
  }

  private static double calls(Exposition page, String method) {
    return page.value("ratelimit_service_total_requests{grpc_method=\"" + method + "\"}");
  }

  @Test
  void aBadSetOfFilesIsCounted() {
    try (InProcessServer server = InProcessServer.of(Map.of("d.yaml", "domain: ["))) {
      assertThat(page(server).value("ratelimit_service_config_load_error")).isEqualTo(1);
      server.reload(Map.of("d.yaml", rules("{key: k, " + DAY + "}")));
      assertThat(page(server).value("ratelimit_service_config_load_success")).isEqualTo(1);
    }
  }

  @Test
  void globalShadowModeIsCounted() {
    try (InProcessServer server =
        InProcessServer.of(
            Map.of("d.yaml", rules("{key: k, rate_limit: {unit: day, requests_per_unit: 0}}")),
            Map.of("SHADOW_MODE", "true"))) {
      ask(server, "d", "k", "v");

      assertThat(page(server).value("ratelimit_service_global_shadow_mode")).isEqualTo(1);
      assertThat(page(server).value(OVER + "{domain=\"d\",key1=\"k\"}")).isEqualTo(1);
    }
  }

  @Test
  void countersSurviveAChangeOfTheRulesAndNeverFallWhileTheyAreRead() throws Exception {
    String other = "{key: other, " + DAY + "}";
    try (InProcessServer server = server("{key: k, " + DAY + "}", other)) {
      List<CompletableFuture<Void>> callers = new ArrayList<>();
      for (int caller = 0; caller < 4; caller++) {
        callers.add(
            CompletableFuture.runAsync(
                () -> IntStream.range(0, 500).forEach(i -> ask(server, "d", "k", "v"))));
      }
      ask(server, "d", "other", "v");
      double last = 0;
      for (int change = 1; change <= 5; change++) {
        String limit = "rate_limit: {unit: day, requests_per_unit: " + (2_000_000 + change) + "}";
        server.reload(
            Map.of("d.yaml", rules("{key: k, " + limit + "}", change % 2 == 0 ? other : "")));
        double now = page(server).value(HITS + "{domain=\"d\",key1=\"k\"}");
        assertThat(now).isGreaterThanOrEqualTo(last);
        last = now;
        assertThat(page(server).value(HITS + "{domain=\"d\",key1=\"other\"}")).isEqualTo(1);
      }
      CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).get();

      Exposition page = page(server);
      assertThat(page.value(HITS + "{domain=\"d\",key1=\"k\"}")).isEqualTo(2000);
      assertThat(page.value("sluice_rule_decisions_total{rule=\"d.k\",verdict=\"within_limit\"}"))
          .isEqualTo(2000);
      assertThat(page.value("sluice_bucket_decisions_total{by=\"memory\",verdict=\"conforms\"}"))
          .isEqualTo(2001);
    }
  }

  @Test
  void countersAreCalledTheSameInOpenMetrics() throws Exception {
    try (InProcessServer server = server("{key: k, " + DAY + "}")) {
      HttpRequest request =
          HttpRequest.newBuilder(server.metrics("/metrics"))
              .header("Accept", "application/openmetrics-text;version=1.0.0")
              .timeout(Duration.ofSeconds(20))
              .build();
      String page = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();

      assertThat(page)
          .contains("# TYPE " + HITS + " unknown\n")
          .contains("\n" + HITS + "{domain=\"d\",key1=\"k\"} 0.0\n")
          .contains("# TYPE ratelimit_service_response_time_seconds histogram\n")
          .endsWith("# EOF\n");
    }
  }

  private static void post(URI address, String body) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(address)
              .timeout(Duration.ofSeconds(20))
              .POST(BodyPublishers.ofString(body))
              .build();
      var unused = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
