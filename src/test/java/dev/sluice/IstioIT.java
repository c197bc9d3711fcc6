package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.SluiceProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sample that Istio publishes for global rate limits: its environment, a ConfigMap as the
 * kubelet mounts it, a Redis that starts with it, and the requests of its documentation.
 */
final class IstioIT {
  private static final String PLAIN =
      """
      domain: ratelimit
      descriptors:
        - key: PATH
          value: "/productpage"
          rate_limit:
            unit: minute
            requests_per_unit: %d
        - key: PATH
          value: "api"
          rate_limit:
            unit: minute
            requests_per_unit: 2
        - key: PATH
          rate_limit:
            unit: minute
            requests_per_unit: 100
      """;

  @TempDir private Path data;
  private Path mount;

  @BeforeEach
  void mountTheConfigMap() throws IOException {
    mount = Files.createDirectories(data.resolve("ratelimit/config"));
    Files.createSymbolicLink(mount.resolve("config.yaml"), Path.of("..data/config.yaml"));
    publish("2031_01_01", 1);
  }

  @Test
  void theDocumentedRequestsGetTheDocumentedAnswersAndANewLimitNeedsNoRestart() throws Exception {
    try (RedisProcess redis = RedisProcess.start();
        SluiceProcess sluice = serve(redis.url());
        RateLimitClient client = new RateLimitClient(sluice.grpcPort())) {
      assertThat(codes(client, "/productpage", 2)).containsExactly(Code.OK, Code.OVER_LIMIT);
      assertThat(codes(client, "api", 3)).containsExactly(Code.OK, Code.OK, Code.OVER_LIMIT);
      assertThat(codes(client, "/reviews", 3)).containsOnly(Code.OK);
      assertThat(redis.ask(commands -> commands.keys("*|*").size()).intValue()).isEqualTo(3);

      publish("2031_01_02", 3);
      await().atMost(Duration.ofSeconds(2)).until(() -> loads(sluice) == 2);
      assertThat(codes(client, "/productpage", 3))
          .containsExactly(Code.OK, Code.OK, Code.OVER_LIMIT);
    }
  }

  @Test
  void twoColonsAreBothFamiliesOfAddresses() throws Exception {
    try (RedisProcess redis = RedisProcess.start();
        SluiceProcess sluice = serve(redis.url())) {
      for (String host : new String[] {"127.0.0.1", "[::1]"}) {
        assertThat(healthcheck(host, sluice.httpPort())).isEqualTo(200);
        try (RateLimitClient client = new RateLimitClient(host, sluice.grpcPort())) {
          assertThat(codes(client, "/reviews", 1)).containsExactly(Code.OK);
        }
      }
    }
  }

  /** As it is, but for where /data and the Redis are, and for the ports. */
  private SluiceProcess serve(String redis) {
    Map<String, String> environment = new HashMap<>();
    environment.put("LOG_LEVEL", "debug");
    environment.put("REDIS_SOCKET_TYPE", "tcp");
    environment.put("REDIS_URL", redis);
    environment.put("USE_STATSD", "false");
    environment.put("RUNTIME_ROOT", data.toString());
    environment.put("RUNTIME_SUBDIRECTORY", "ratelimit");
    environment.put("RUNTIME_WATCH_ROOT", "false");
    environment.put("RUNTIME_IGNOREDOTFILES", "true");
    environment.put("HOST", "::");
    environment.put("GRPC_HOST", "::");
    SluiceProcess sluice =
        SluiceProcess.started(
            SluiceProcess.run(data, environment, SluiceProcess.LAUNCHER.toString()));
    await().until(() -> sluice.errors().contains("Connected to Redis"));
    return sluice;
  }

  /** Changes the ConfigMap's directory as the kubelet does: by turning one link. */
  private void publish(String version, int requests) throws IOException {
    Path directory = Files.createDirectory(mount.resolve(".." + version));
    Files.writeString(directory.resolve("config.yaml"), PLAIN.formatted(requests));
    Path link = Files.createSymbolicLink(mount.resolve("..data_tmp"), Path.of(".." + version));
    Files.move(
        link,
        mount.resolve("..data"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static long loads(SluiceProcess sluice) {
    return sluice.errors().lines().filter(line -> line.contains("Rules in force")).count();
  }

  private static Stream<Code> codes(RateLimitClient client, String path, int times) {
    return Stream.generate(
            () -> client.ask(RateLimitClient.request("ratelimit", "PATH", path)).getOverallCode())
        .limit(times);
  }

  private static int healthcheck(String host, int port) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + "/healthcheck")).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }
}
