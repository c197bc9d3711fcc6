package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.proto.rules.RateLimitConfig;
import dev.sluice.proto.rules.RateLimitDescriptor;
import dev.sluice.proto.rules.RateLimitPolicy;
import dev.sluice.proto.rules.RateLimitUnit;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.testing.ChildProcess;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.SluiceProcess;
import dev.sluice.testing.TestControlPlane;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hundred thousand rules of one domain, in three quarters of the heap that a container of 512 MiB
 * gives, or all of it.
 */
final class LargeRuleFileIT {
  private static final int RULES = 100_000;
  private static final int TOGETHER = 1_000;
  private static final Map<String, String> SMALL_HEAP =
      Map.of("JAVA_OPTS", "-Xmx192m -XX:+UseSerialGC");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final RateLimitRequest LAST =
      RateLimitClient.request("shop", "sku", "product-" + (RULES - 1));

  @TempDir private Path directory;

  @BeforeEach
  void firstRules() throws IOException {
    write(1_000);
  }

  @Test
  void aServerReadsThemAndReadsThemAgainWhileTheyAreInForce() throws IOException {
    try (SluiceProcess sluice = SluiceProcess.serve(directory, SMALL_HEAP);
        RateLimitClient client = new RateLimitClient(sluice.grpcPort())) {
      assertThat(limit(client)).isEqualTo(1_000);

      write(2_000);

      await().atMost(PATIENCE).until(() -> limit(client) == 2_000);
      assertThat(sluice.errors()).doesNotContain("OutOfMemoryError");
    }
  }

  @Test
  void aControlPlaneSendsThemAndSendsThemAgain() {
    try (TestControlPlane controlPlane = TestControlPlane.start();
        SluiceProcess sluice = SluiceProcess.serve(directory, from(controlPlane));
        RateLimitClient client = new RateLimitClient(sluice.grpcPort())) {
      controlPlane.publish(rules(1_000));
      await().atMost(PATIENCE).ignoreExceptions().until(() -> limit(client) == 1_000);

      controlPlane.publish(rules(2_000));

      await().atMost(PATIENCE).until(() -> limit(client) == 2_000);
      assertThat(sluice.errors()).doesNotContain("OutOfMemoryError");
    }
  }

  private static Map<String, String> from(TestControlPlane controlPlane) {
    Map<String, String> settings = new HashMap<>(SMALL_HEAP);
    settings.put("CONFIG_TYPE", "GRPC_XDS_SOTW");
    settings.put("CONFIG_GRPC_XDS_SERVER_URL", controlPlane.address());
    return settings;
  }

  private static RateLimitConfig rules(int requests) {
    RateLimitPolicy.Builder policy =
        RateLimitPolicy.newBuilder().setUnit(RateLimitUnit.DAY).setRequestsPerUnit(requests);
    RateLimitConfig.Builder rules = RateLimitConfig.newBuilder().setName("shop").setDomain("shop");
    for (int i = 0; i < RULES; i++) {
      rules.addDescriptors(
          RateLimitDescriptor.newBuilder()
              .setKey("sku")
              .setValue("product-" + i)
              .setRateLimit(policy));
    }
    return rules.build();
  }

  @Test
  void aPageHasAllOfThemOnceTheyHaveDecided() throws IOException, InterruptedException {
    try (SluiceProcess sluice = SluiceProcess.serve(directory, Map.of("JAVA_OPTS", "-Xmx256m"));
        RateLimitClient client = new RateLimitClient(sluice.grpcPort())) {
      for (int first = 0; first < RULES; first += TOGETHER) {
        assertThat(client.ask(someOf(first)).getOverallCode()).isEqualTo(Code.OK);
      }
      URI page = URI.create("http://localhost:" + sluice.metricsPort() + "/metrics");
      Map<String, Long> series =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofLines())
              .body()
              .filter(line -> line.contains("product-"))
              .collect(
                  Collectors.groupingBy(
                      line -> line.substring(0, line.indexOf('{')), Collectors.counting()));
      assertThat(series)
          .containsEntry("ratelimit_service_rate_limit_total_hits", (long) RULES)
          .containsEntry("ratelimit_service_rate_limit_shadow_mode", (long) RULES)
          .containsEntry("sluice_rule_decisions_total", 3L * RULES)
          .containsEntry("sluice_rule_limit", (long) RULES);
      assertThat(sluice.errors()).doesNotContain("OutOfMemoryError");
    }
  }

  /** A request that so many rules decide together. */
  private static RateLimitRequest someOf(int first) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("shop");
    IntStream.range(first, first + TOGETHER)
        .mapToObj(i -> RateLimitClient.request("shop", "sku", "product-" + i))
        .forEach(one -> request.addDescriptors(one.getDescriptors(0)));
    return request.build();
  }

  @Test
  void checkReadsThem() {
    try (ChildProcess check =
        SluiceProcess.run(
            SluiceProcess.PROJECT,
            SMALL_HEAP,
            SluiceProcess.LAUNCHER.toString(),
            "check",
            directory.toString())) {
      assertThat(check.exitCode(PATIENCE)).as(check.errors()).isZero();
      assertThat(check.output()).contains("domain shop: " + RULES + " rules");
    }
  }

  private static int limit(RateLimitClient client) {
    return client.ask(LAST).getStatuses(0).getCurrentLimit().getRequestsPerUnit();
  }

  private void write(int requests) throws IOException {
    String rules =
        IntStream.range(0, RULES)
            .mapToObj(
                i ->
                    """
                      - key: sku
                        value: product-%d
                        rate_limit:
                          unit: day
                          requests_per_unit: %d
                    """
                        .formatted(i, requests))
            .collect(Collectors.joining("", "domain: shop\ndescriptors:\n", ""));
    Path written = Files.writeString(directory.resolve(".rules"), rules);
    Files.move(written, directory.resolve("rules.yaml"), StandardCopyOption.ATOMIC_MOVE);
  }
}
