package dev.sluice;

import static dev.sluice.testing.SampleConfigs.branch;
import static dev.sluice.testing.SampleConfigs.config;
import static dev.sluice.testing.SampleConfigs.daily;
import static dev.sluice.testing.SampleConfigs.leaf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.proto.rules.RateLimitConfig;
import dev.sluice.proto.rules.RateLimitUnit;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.testing.Certificates;
import dev.sluice.testing.Certificates.Pair;
import dev.sluice.testing.Exposition;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.RecordedLog;
import dev.sluice.testing.TestControlPlane;
import io.grpc.ServerCredentials;
import io.grpc.Status;
import io.grpc.TlsServerCredentials;
import io.grpc.TlsServerCredentials.ClientAuth;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server whose rules come from a control plane, as Envoy Gateway sets it up. */
final class ControlPlaneIT {
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir private static Path made;

  private static Path authority = Path.of("");
  private static Path otherAuthority = Path.of("");
  private static Pair gateway = new Pair(authority, authority);
  private static Pair envoy = gateway;
  private static Pair stranger = gateway;

  @BeforeAll
  static void makeCertificates() {
    Certificates certificates = new Certificates(made);
    authority = certificates.authority("authority");
    otherAuthority = certificates.authority("other-authority");
    gateway = certificates.issue("gateway", "authority", "envoy-gateway");
    envoy = certificates.issue("envoy", "authority", "envoy.example.com");
    stranger = certificates.issue("stranger", "other-authority", "envoy.example.com");
  }

  @Test
  void callsAreUnavailableAndHealthSaysSoUntilTheFirstSetIsThere() throws Exception {
    TestControlPlane controlPlane = TestControlPlane.absent();
    try (controlPlane;
        InProcessServer sluice = serve(controlPlane, Map.of());
        RateLimitClient client = new RateLimitClient(sluice.grpcPort())) {
      assertThat(client.codeOf(RateLimitClient.request("a", "k", "v")))
          .isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(client.health("ratelimit")).contains(ServingStatus.NOT_SERVING);
      assertThat(metric(sluice, "sluice_control_plane_connected")).isZero();

      controlPlane.restart();
      await().atMost(LONG).until(() -> metric(sluice, "sluice_control_plane_connected") == 1);
      assertThat(client.health("ratelimit")).contains(ServingStatus.NOT_SERVING);

      controlPlane.publish(daily("a", 1));
      await().atMost(LONG).until(() -> client.health("ratelimit").equals(serving()));
      assertThat(codes(client, 2, "a", "k", "v")).containsExactly(Code.OK, Code.OVER_LIMIT);
      assertThat(page(sluice.debug("/rlconfig")))
          .isEqualTo("a.k: unit=DAY requests_per_unit=1, shadow_mode: false, quota_mode: false\n");
    }
  }

  @Test
  void healthDoesNotWaitWhereTheSettingsSaySo() {
    try (TestControlPlane controlPlane = TestControlPlane.start();
        InProcessServer sluice =
            serve(controlPlane, Map.of("FORCE_START_WITHOUT_INITIAL_CONFIG", "true"));
        RateLimitClient client = new RateLimitClient(sluice.grpcPort())) {
      await().atMost(LONG).until(() -> client.health("ratelimit").equals(serving()));
      assertThat(client.codeOf(RateLimitClient.request("a", "k", "v")))
          .isEqualTo(Status.Code.UNAVAILABLE);

      controlPlane.publish();

      await()
          .atMost(LONG)
          .until(
              () -> client.codeOf(RateLimitClient.request("a", "k", "v")).equals(Status.Code.OK));
    }
  }

  @Test
  void setsAreCountedAsFilesAreAndABadOneLimitsNothingElse() {
    try (TestControlPlane controlPlane = TestControlPlane.start();
        InProcessServer sluice = serve(controlPlane, Map.of());
        RateLimitClient client = new RateLimitClient(sluice.grpcPort())) {
      controlPlane.publish(daily("a", 1));
      await()
          .atMost(LONG)
          .until(() -> metric(sluice, "ratelimit_service_config_load_success") == 1);

      controlPlane.publish(config("a", leaf("k", "", RateLimitUnit.UNKNOWN, 9)));

      await().atMost(LONG).until(() -> metric(sluice, "ratelimit_service_config_load_error") == 1);
      await()
          .atMost(LONG)
          .until(() -> metric(sluice, "sluice_control_plane_updates_total{answer=\"nack\"}") >= 1);
      assertThat(metric(sluice, "sluice_control_plane_updates_total{answer=\"ack\"}")).isEqualTo(1);
      assertThat(codes(client, 2, "a", "k", "v")).containsExactly(Code.OK, Code.OVER_LIMIT);
    }
  }

  /** What Envoy Gateway makes of routes: names with slashes and stars, and chains below them. */
  @Test
  void descriptorsOfEnvoyGatewayFindTheirRules() {
    try (TestControlPlane controlPlane = TestControlPlane.start();
        InProcessServer sluice = serve(controlPlane, Map.of());
        RateLimitClient client = new RateLimitClient(sluice.grpcPort())) {
      controlPlane.publish(envoyGateway());
      await().atMost(LONG).until(() -> client.health("").equals(serving()));
      String domain = "eg-system/eg/http";
      String all = "httproute/default/web/rule/0/match/0/*";
      String some = "httproute/default/web/rule/1/match/0/*_example_com";

      assertThat(codes(client, 2, domain, all, all, "rule-0-match-0", "ida"))
          .containsExactly(Code.OK, Code.OVER_LIMIT);
      assertThat(codes(client, 2, domain, all, all, "rule-0-match-0", "bob"))
          .containsExactly(Code.OK, Code.OVER_LIMIT);
      assertThat(codes(client, 3, domain, all, all, "masked_remote_address", "10.0.0.0/8"))
          .containsExactly(Code.OK, Code.OK, Code.OVER_LIMIT);
      assertThat(
              codes(
                  client,
                  2,
                  domain,
                  all,
                  all,
                  "masked_remote_address",
                  "10.0.0.0/8",
                  "remote_address",
                  "10.1.2.3"))
          .containsExactly(Code.OK, Code.OVER_LIMIT);
      assertThat(codes(client, 4, domain, some, some, "rule-2-match--1", "rule-2-match--1"))
          .containsExactly(Code.OK, Code.OK, Code.OK, Code.OVER_LIMIT);
      assertThat(codes(client, 1, domain, some, some, "rule-3-match-0", "rule-3-match-0"))
          .containsExactly(Code.OVER_LIMIT);
    }
  }

  private static RateLimitConfig envoyGateway() {
    String all = "httproute/default/web/rule/0/match/0/*";
    String some = "httproute/default/web/rule/1/match/0/*_example_com";
    return config(
        "eg-system/eg/http",
        branch(
            all,
            all,
            leaf("rule-0-match-0", "", RateLimitUnit.WEEK, 1),
            leaf("masked_remote_address", "10.0.0.0/8", RateLimitUnit.YEAR, 2),
            branch(
                "masked_remote_address",
                "10.0.0.0/8",
                leaf("remote_address", "", RateLimitUnit.MONTH, 1))),
        branch(
            some,
            some,
            leaf("rule-2-match--1", "rule-2-match--1", RateLimitUnit.DAY, 3),
            leaf("rule-3-match-0", "rule-3-match-0", RateLimitUnit.DAY, 0)));
  }

  @Test
  void theControlPlaneIsSpokenToOverTlsAndShownACertificate() {
    try (TestControlPlane controlPlane = TestControlPlane.start(security());
        InProcessServer sluice = serve(controlPlane, tls(authority, envoy, "envoy-gateway"))) {
      controlPlane.publish(daily("a", 1));

      await().atMost(LONG).until(() -> metric(sluice, "sluice_control_plane_connected") == 1);
      await().atMost(LONG).until(() -> !page(sluice.debug("/rlconfig")).isEmpty());
    }
  }

  @ParameterizedTest
  @CsvSource({"authority", "name", "identity"})
  void aControlPlaneThatIsNotTheRightOneOrDoesNotKnowUsGivesNoRules(String wrong) {
    Map<String, String> settings =
        tls(
            wrong.equals("authority") ? otherAuthority : authority,
            wrong.equals("identity") ? stranger : envoy,
            wrong.equals("name") ? "other-gateway" : "envoy-gateway");
    try (RecordedLog log = RecordedLog.of("dev.sluice.telemetry.ControlPlaneTelemetry");
        TestControlPlane controlPlane = TestControlPlane.start(security());
        InProcessServer sluice = serve(controlPlane, settings)) {
      controlPlane.publish(daily("a", 1));

      await()
          .atMost(LONG)
          .until(() -> log.contains("The control plane is not connected: UNAVAILABLE"));
      assertThat(controlPlane.requests()).isEmpty();
      assertThat(page(sluice.debug("/rlconfig"))).isEmpty();
    }
  }

  @Test
  void aCertificateThatIsReplacedIsUsedByTheNextStream() throws IOException {
    Path trusted = made.resolve("trusted.crt");
    Files.copy(otherAuthority, trusted);
    try (TestControlPlane controlPlane = TestControlPlane.start(security());
        InProcessServer sluice = serve(controlPlane, tls(trusted, envoy, "envoy-gateway"))) {
      controlPlane.publish(daily("a", 1));
      Files.write(trusted, Files.readAllBytes(authority));

      await().atMost(LONG).until(() -> !page(sluice.debug("/rlconfig")).isEmpty());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CONFIG_GRPC_XDS_SERVER_URL|http://gateway|CONFIG_GRPC_XDS_SERVER_URL is 'http://***'"
            + " (expected host:port)",
        "CONFIG_GRPC_XDS_SERVER_TLS_CACERT|ca.crt|CONFIG_GRPC_XDS_SERVER_TLS_CACERT is 'ca.crt'"
            + " (expected CONFIG_GRPC_XDS_SERVER_USE_TLS=true as well,",
        "CONFIG_GRPC_XDS_CLIENT_TLS_CERT|tls.crt|CONFIG_GRPC_XDS_CLIENT_TLS_KEY is ''",
        "CONFIG_GRPC_XDS_NODE_METADATA|zone|part 1 of CONFIG_GRPC_XDS_NODE_METADATA is none",
        "CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS|a:b,se cret|part 2 of"
            + " CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS is none (expected name:value,",
      })
  void aSettingThatCannotBeUsedEndsTheStart(String setting, String value, String message) {
    try (TestControlPlane controlPlane = TestControlPlane.start()) {
      assertThatThrownBy(() -> serve(controlPlane, Map.of(setting, value)))
          .hasMessageStartingWith(message)
          .hasMessageNotContaining("cret");
    }
  }

  private static ServerCredentials security() {
    try {
      return TlsServerCredentials.newBuilder()
          .keyManager(gateway.certificate().toFile(), gateway.key().toFile())
          .trustManager(authority.toFile())
          .clientAuth(ClientAuth.REQUIRE)
          .build();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Map<String, String> tls(Path trusted, Pair own, String name) {
    return Map.of(
        "CONFIG_GRPC_XDS_SERVER_USE_TLS", "true",
        "CONFIG_GRPC_XDS_SERVER_TLS_CACERT", trusted.toString(),
        "CONFIG_GRPC_XDS_SERVER_TLS_SAN", name,
        "CONFIG_GRPC_XDS_CLIENT_TLS_CERT", own.certificate().toString(),
        "CONFIG_GRPC_XDS_CLIENT_TLS_KEY", own.key().toString());
  }

  private static InProcessServer serve(
      TestControlPlane controlPlane, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("CONFIG_TYPE", "GRPC_XDS_SOTW");
    all.put("CONFIG_GRPC_XDS_NODE_ID", "envoy-ratelimit");
    all.put("CONFIG_GRPC_XDS_SERVER_URL", controlPlane.address());
    all.put("CONFIG_GRPC_XDS_SERVER_CONNECT_RETRY_INTERVAL", "100ms");
    all.put("XDS_CLIENT_BACKOFF_INITIAL_INTERVAL", "100ms");
    all.put("XDS_CLIENT_BACKOFF_MAX_INTERVAL", "200ms");
    all.putAll(settings);
    return InProcessServer.of(Map.of(), all);
  }

  private static Optional<ServingStatus> serving() {
    return Optional.of(ServingStatus.SERVING);
  }

  private static Stream<Code> codes(
      RateLimitClient client, int times, String domain, String... entries) {
    return Stream.generate(
            () -> client.ask(RateLimitClient.request(domain, entries)).getOverallCode())
        .limit(times);
  }

  private static double metric(InProcessServer sluice, String series) {
    return Exposition.at(sluice.metrics("/metrics")).samples().getOrDefault(series, -1.0);
  }

  private static String page(URI address) {
    try {
      HttpRequest request = HttpRequest.newBuilder(address).build();
      return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
