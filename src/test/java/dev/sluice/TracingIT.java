package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.proto.service.RateLimitServiceGrpc;
import dev.sluice.testing.Certificates;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.SluiceProcess;
import dev.sluice.testing.TraceCollector;
import dev.sluice.testing.TraceCollector.Taken;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.stub.MetadataUtils;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a whole server tells a real collector, and what it does where there is none. */
class TracingIT {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";
  private static final String SAMPLED = "00-" + TRACE + "-" + PARENT + "-01";
  private static final String SERVICE = "envoy.service.ratelimit.v3.RateLimitService";
  private static final String CALL = SERVICE + "/ShouldRateLimit";
  private static final String DECISION = "ShouldRateLimit Execution";
  private static final String REDIS = "Redis Pipeline Execution";

  @TempDir Path directory;

  @BeforeEach
  void rules() throws IOException {
    Files.writeString(
        Files.createDirectory(directory.resolve("rules")).resolve("f.yaml"),
        "domain: f\ndescriptors: [{key: k, rate_limit: {unit: day, requests_per_unit: 1}}]\n");
  }

  private SluiceProcess server(String endpoint, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("TRACING_ENABLED", "true");
    all.put("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    all.put("OTEL_BSP_SCHEDULE_DELAY", "50");
    all.putAll(settings);
    return SluiceProcess.serve(directory.resolve("rules"), all);
  }

  private static void ask(SluiceProcess server, Map<String, String> headers) {
    Metadata metadata = new Metadata();
    headers.forEach(
        (name, value) ->
            metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value));
    metadata.put(
        Metadata.Key.of("grpc-trace-bin", Metadata.BINARY_BYTE_MARSHALLER), new byte[] {0, -1, 7});
    ManagedChannel channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", server.grpcPort())
            .usePlaintext()
            .intercept(MetadataUtils.newAttachHeadersInterceptor(metadata))
            .build();
    try {
      var unused =
          RateLimitServiceGrpc.newBlockingStub(channel)
              .shouldRateLimit(RateLimitClient.request("f", "k", "a"));
    } finally {
      channel.shutdownNow();
    }
  }

  /** By the operating system, since Java would hear no more of what the process says. */
  private static void stop(SluiceProcess server) {
    assertThat(ProcessHandle.of(server.pid()).orElseThrow().destroy()).isTrue();
    assertThat(server.exitCode(Duration.ofSeconds(20))).isZero();
  }

  private static Taken named(List<Taken> spans, String name) {
    return spans.stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  private static void isOneTrace(List<Taken> spans) {
    Taken call = named(spans, CALL);
    assertThat(call.parent()).isEqualTo(PARENT);
    assertThat(call.span().getKind()).isEqualTo(SpanKind.SPAN_KIND_SERVER);
    assertThat(call.attributes())
        .containsOnly(
            Map.entry("rpc.system", "grpc"),
            Map.entry("rpc.service", SERVICE),
            Map.entry("rpc.method", "ShouldRateLimit"),
            Map.entry("rpc.grpc.status_code", "0"));
    Taken decision = named(spans, DECISION);
    assertThat(decision.parent()).isEqualTo(call.id());
    assertThat(decision.attributes())
        .containsOnly(
            Map.entry("domain", "f"), Map.entry("code", "OK"), Map.entry("degraded", "false"));
    Taken redis = named(spans, REDIS);
    assertThat(redis.parent()).isEqualTo(decision.id());
    assertThat(redis.attributes())
        .containsOnly(
            Map.entry("db.system.name", "redis"),
            Map.entry("node", "primary"),
            Map.entry("pipeline length", "1"));
    assertThat(spans).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "grpc"})
  void aCallItsDecisionAndRedisAreSpansOfTheCallersTrace(String protocol) {
    try (TraceCollector collector =
            protocol.equals("grpc") ? TraceCollector.grpc() : TraceCollector.http();
        RedisProcess redis = RedisProcess.start();
        SluiceProcess server =
            server(
                collector.endpoint(),
                Map.of(
                    "REDIS_URL", redis.url(),
                    "REDIS_COMMAND_TIMEOUT", "5s",
                    "TRACING_EXPORTER_PROTOCOL", protocol,
                    "TRACING_SERVICE_NAMESPACE", "edge",
                    "OTEL_RESOURCE_ATTRIBUTES", "team=ida,service.name=other"))) {
      ask(server, Map.of("traceparent", SAMPLED));

      List<Taken> spans = collector.await(3, TRACE);
      isOneTrace(spans);
      assertThat(spans.get(0).sender())
          .containsEntry("service.name", "RateLimit")
          .containsEntry("service.namespace", "edge")
          .containsEntry("team", "ida")
          .hasEntrySatisfying(
              "service.instance.id", it -> assertThat(it).matches("[0-9a-f-]{14}4[0-9a-f-]{21}"));
    }
  }

  @Test
  void b3IsReadInBothItsForms() {
    String other = "463ac35c9f6413ad48485a3953bb6124";
    try (TraceCollector collector = TraceCollector.http();
        SluiceProcess server =
            server(
                collector.endpoint(),
                Map.of("TRACING_SERVICE_NAME", "n", "TRACING_SERVICE_INSTANCE_ID", "i"))) {
      ask(server, Map.of("b3", TRACE + "-" + PARENT + "-1"));
      ask(
          server,
          Map.of("X-B3-TraceId", other, "X-B3-SpanId", "a2fb4a1d1a96d312", "X-B3-Sampled", "1"));

      Taken call = named(collector.await(2, TRACE), CALL);
      assertThat(call.parent()).isEqualTo(PARENT);
      assertThat(call.sender())
          .containsEntry("service.name", "n")
          .containsEntry("service.instance.id", "i");
      List<Taken> second = collector.await(2, other);
      assertThat(named(second, CALL).parent()).isEqualTo("a2fb4a1d1a96d312");
      assertThat(named(second, DECISION).attributes()).containsEntry("code", "OVER_LIMIT");
    }
  }

  @Test
  void theCallerDecidesWhatIsKeptAndElseTheRate() {
    try (TraceCollector collector = TraceCollector.http();
        SluiceProcess none = server(collector.endpoint(), Map.of("TRACING_SAMPLING_RATE", "0"));
        SluiceProcess all = server(collector.endpoint(), Map.of())) {
      ask(none, Map.of());
      ask(all, Map.of("traceparent", "00-" + "1".repeat(32) + "-" + PARENT + "-00"));
      ask(none, Map.of("traceparent", SAMPLED));
      assertThat(collector.await(2, TRACE)).hasSize(2);
      ask(all, Map.of());
      await().until(() -> collector.spans().size() >= 4);

      stop(none);
      stop(all);
      assertThat(collector.spans()).hasSize(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "grpc"})
  void whatIsLeftIsSentAtTheEnd(String protocol) {
    try (TraceCollector collector =
            protocol.equals("grpc") ? TraceCollector.grpc() : TraceCollector.http();
        SluiceProcess server =
            server(
                collector.endpoint(),
                Map.of(
                    "OTEL_BSP_SCHEDULE_DELAY", "600000", "TRACING_EXPORTER_PROTOCOL", protocol))) {
      ask(server, Map.of("traceparent", SAMPLED));
      assertThat(collector.spans()).isEmpty();

      stop(server);
      assertThat(collector.spans()).extracting(Taken::name).containsOnly(CALL, DECISION);
      assertThat(server.errors()).doesNotContain("spans");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "grpc"})
  void withoutACollectorCallsAreAnsweredAndTheLogStaysQuiet(String protocol) throws IOException {
    int nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = socket.getLocalPort();
    }
    try (SluiceProcess server =
            server(
                "http://127.0.0.1:" + nobody,
                Map.of(
                    "OTEL_BSP_SCHEDULE_DELAY", "10",
                    "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "10",
                    "OTEL_EXPORTER_OTLP_TIMEOUT", "100",
                    "TRACING_EXPORTER_PROTOCOL", protocol));
        RateLimitClient client = new RateLimitClient(server.grpcPort())) {
      await()
          .until(
              () -> {
                var unused = client.ask(RateLimitClient.request("f", "k", "a"));
                return server.errors().contains("Traces do not reach their collector (");
              });
      for (int i = 0; i < 3_000; i++) {
        var unused = client.ask(RateLimitClient.request("f", "k", "a"));
      }
      assertThat(client.health("ratelimit")).contains(ServingStatus.SERVING);

      stop(server);
      assertThat(server.errors().lines().filter(it -> it.contains("WARN"))).hasSizeLessThan(5);
      assertThat(server.errors()).contains("spans were not sent.").doesNotContain("\tat ");
    }
  }

  @Test
  void aCollectorIsSpokenToOverTls() {
    Certificates certificates = new Certificates(directory);
    Path authority = certificates.authority("ca");
    Certificates.Pair pair = certificates.issue("collector", "ca", "localhost");
    try (TraceCollector collector = TraceCollector.grpc(credentials(pair));
        SluiceProcess server =
            server(
                collector.endpoint(),
                Map.of(
                    "TRACING_EXPORTER_PROTOCOL", "grpc",
                    "OTEL_EXPORTER_OTLP_COMPRESSION", "gzip",
                    "OTEL_EXPORTER_OTLP_CERTIFICATE", authority.toString()))) {
      ask(server, Map.of("traceparent", SAMPLED));
      assertThat(collector.await(2, TRACE)).hasSize(2);
    }
  }

  private static ServerCredentials credentials(Certificates.Pair pair) {
    try {
      return TlsServerCredentials.create(pair.certificate().toFile(), pair.key().toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aJsonCallIsADecisionWithoutACall() throws Exception {
    try (TraceCollector collector = TraceCollector.http();
        SluiceProcess server = server(collector.endpoint(), Map.of())) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.httpPort() + "/json"))
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"domain\":\"f\",\"descriptors\":[{\"entries\":[{\"key\":\"k\"}]}]}"))
              .build();
      HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(collector.await(DECISION).parent()).isEmpty();
    }
  }

  @Test
  void whatIsRefusedHasItsStatus() {
    try (TraceCollector collector = TraceCollector.http();
        SluiceProcess server = server(collector.endpoint(), Map.of());
        RateLimitClient client = new RateLimitClient(server.grpcPort())) {
      assertThat(client.health("nobody")).isEmpty();
      assertThat(client.codeOf(RateLimitClient.request(""))).isNotNull();
      assertThat(collector.await("grpc.health.v1.Health/Check").attributes())
          .containsEntry("rpc.grpc.status_code", "5");
      Taken call = collector.await(CALL);
      assertThat(call.attributes()).containsEntry("rpc.grpc.status_code", "3");
      assertThat(call.span().getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
    }
  }

  @Test
  void byDefaultNothingOfItIsLoaded() throws IOException {
    Path loaded = directory.resolve("loaded");
    try (SluiceProcess server =
        SluiceProcess.serve(
            directory.resolve("rules"),
            Map.of("JAVA_OPTS", "-Xlog:class+load:file=" + loaded + ":tags"))) {
      ask(server, Map.of("traceparent", SAMPLED));
      stop(server);
    }
    assertThat(Files.readString(loaded))
        .contains("dev.sluice.tracing.Traces ")
        .doesNotContain("io.opentelemetry.");
  }
}
