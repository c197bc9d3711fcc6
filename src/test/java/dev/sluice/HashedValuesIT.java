package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.proto.type.RateLimitUnit;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.SluiceProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Values that rules hide are nowhere that anybody can look, and replicas agree on their buckets.
 */
class HashedValuesIT {
  private static final String SECRET = "Bearer-s3cr3t";
  private static final String RULES =
      """
      domain: f
      descriptors:
        - {key: token, hash_value: true, rate_limit: {unit: day, requests_per_unit: 2}}
        - {key: token, value: Bearer-s3cr3t-too, hash_value: true, rate_limit: {unit: day, requests_per_unit: 2}}
        - {key: api_key, hash_value: true, detailed_metric: true, rate_limit: {unit: day, requests_per_unit: 2}}
      """;

  @TempDir Path directory;

  @Test
  void theValueIsNowhereAndReplicasAgreeOnTheBucket() throws Exception {
    Files.writeString(directory.resolve("f.yaml"), RULES);
    try (RedisProcess redis = RedisProcess.start()) {
      Map<String, String> settings =
          Map.of(
              "REDIS_URL", redis.url(),
              "REDIS_COMMAND_TIMEOUT", "10s",
              "LOG_LEVEL", "trace",
              "RESPONSE_DYNAMIC_METADATA", "true",
              "IETF_RATELIMIT_HEADERS", "true",
              "LIMIT_RESPONSE_HEADERS_ENABLED", "true",
              "HASH_VALUE_SECRET", "pepper");
      List<String> seen = new ArrayList<>();
      try (SluiceProcess one = SluiceProcess.serve(directory, settings);
          SluiceProcess other = SluiceProcess.serve(directory, settings)) {
        seen.addAll(conversation(one, other));
        seen.addAll(pages(one));
        seen.addAll(pages(other));
        seen.add(one.output() + one.errors());
        seen.add(other.output() + other.errors());
      }
      List<String> keys = redis.ask(commands -> commands.keys("rl:f*"));
      assertThat(keys).anyMatch(key -> key.startsWith("rl:f|token=#")).hasSize(4);
      seen.addAll(keys);
      keys.forEach(key -> seen.add(redis.ask(commands -> commands.get(key))));
      assertThat(seen).allSatisfy(HashedValuesIT::tellsNothing);
    }
  }

  private static void tellsNothing(String text) {
    assertThat(text)
        .doesNotContain("s3cr3t")
        .doesNotContain(HexFormat.of().formatHex("s3cr3t".getBytes(StandardCharsets.UTF_8)))
        .doesNotContain("pepper");
  }

  /** Asks both in turn; what was answered. */
  private static List<String> conversation(SluiceProcess one, SluiceProcess other)
      throws IOException, InterruptedException {
    List<String> answers = new ArrayList<>();
    try (RateLimitClient first = new RateLimitClient(one.grpcPort());
        RateLimitClient second = new RateLimitClient(other.grpcPort())) {
      RateLimitRequest question = request(descriptor("token", SECRET));
      List<RateLimitResponse> three =
          List.of(first.ask(question), second.ask(question), first.ask(question));
      assertThat(three)
          .extracting(RateLimitResponse::getOverallCode)
          .containsExactly(Code.OK, Code.OK, Code.OVER_LIMIT);
      three.forEach(answer -> answers.add(answer.toString()));

      RateLimitDescriptor.Builder limited = descriptor("token", SECRET + "-with-its-limit");
      limited.getLimitBuilder().setRequestsPerUnit(5).setUnit(RateLimitUnit.DAY);
      answers.add(
          first
              .ask(
                  request(
                      limited,
                      descriptor("token", SECRET + "-too"),
                      descriptor("token", SECRET, "unknown", "level"),
                      descriptor("unknown", "level", "token", SECRET),
                      descriptor("api_key", SECRET)))
              .toString());
    }
    answers.add(json(one));
    return answers;
  }

  private static String json(SluiceProcess server) throws IOException, InterruptedException {
    String body =
        "{\"domain\":\"f\",\"descriptors\":[{\"entries\":[{\"key\":\"token\",\"value\":\""
            + SECRET
            + "\"}]}]}";
    return send(
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.httpPort() + "/json"))
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  private static List<String> pages(SluiceProcess server) throws IOException, InterruptedException {
    List<String> pages = new ArrayList<>();
    for (String page : List.of("/", "/rlconfig", "/stats", "/threads", "/version")) {
      pages.add(get(server.debugPort(), page));
    }
    pages.add(get(server.metricsPort(), "/metrics"));
    assertThat(pages.get(1)).contains("f.token_#");
    assertThat(pages.get(2)).contains("sluice_rule_decisions_total{rule=\"f.token=#");
    return pages;
  }

  private static String get(int port, String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build());
  }

  private static String send(HttpRequest request) throws IOException, InterruptedException {
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  private static RateLimitRequest request(RateLimitDescriptor.Builder... descriptors) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("f");
    for (RateLimitDescriptor.Builder descriptor : descriptors) {
      request.addDescriptors(descriptor);
    }
    return request.build();
  }

  private static RateLimitDescriptor.Builder descriptor(String... keysAndValues) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      descriptor.addEntriesBuilder().setKey(keysAndValues[i]).setValue(keysAndValues[i + 1]);
    }
    return descriptor;
  }
}
