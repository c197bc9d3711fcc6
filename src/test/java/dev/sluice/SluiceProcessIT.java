package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.testing.ChildProcess;
import dev.sluice.testing.Gateway;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.SluiceProcess;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.embedded.RedisServer;

/** The process as a whole: how it starts, how it does not start, and how it stops. */
final class SluiceProcessIT {
  private static final RateLimitRequest REQUEST =
      RateLimitClient.request("api", "plan", "pro", "api_key", "k1");
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);
  private static final int CLIENTS = 8;

  @TempDir private Path rules;

  /** One call: when it began, and how it ended. */
  private record Call(long began, Status.Code code) {}

  @BeforeEach
  void copyRules() throws IOException {
    rules = Files.createDirectory(rules.resolve("rules"));
    Gateway.copyRules(rules);
  }

  @Test
  void everyCallThatBeganBeforeTheEndIsAnswered() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try (SluiceProcess sluice = SluiceProcess.serve(rules, Map.of());
        RateLimitClient client = new RateLimitClient(sluice.grpcPort())) {
      AtomicInteger answered = new AtomicInteger();
      Callable<List<Call>> load = () -> callUntilRefused(client, answered);
      List<Future<List<Call>>> loads = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        loads.add(threads.submit(load));
      }
      Awaitility.await().until(() -> answered.get() > 2_000);

      long told = System.nanoTime();
      sluice.terminate();
      assertThat(sluice.exitCode(DRAIN_TIMEOUT)).isZero();
      assertThat(Duration.ofNanos(System.nanoTime() - told)).isLessThan(DRAIN_TIMEOUT);

      for (Future<List<Call>> calls : loads) {
        assertThat(calls.get()).allSatisfy(call -> assertAnswered(call, told));
      }
      assertThat(sluice.errors()).doesNotContain("ERROR", "Exception");
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<Call> callUntilRefused(RateLimitClient client, AtomicInteger answered) {
    List<Call> calls = new ArrayList<>();
    Call last;
    do {
      last = new Call(System.nanoTime(), client.codeOf(REQUEST));
      calls.add(last);
      answered.incrementAndGet();
    } while (last.code == Status.Code.OK);
    return calls;
  }

  private static void assertAnswered(Call call, long told) {
    if (call.code != Status.Code.OK) {
      assertThat(call.code).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(call.began).isGreaterThan(told);
    }
  }

  @Test
  void callThatWaitsForRedisIsStillAnsweredAfterTheSignal() throws Exception {
    int port = freePort();
    RedisServer redis = RedisServer.newRedisServer().port(port).bind("127.0.0.1").build();
    redis.start();
    Map<String, String> environment =
        Map.of("REDIS_URL", "127.0.0.1:" + port, "REDIS_COMMAND_TIMEOUT", "2s");
    try (SluiceProcess sluice = SluiceProcess.serve(rules, environment);
        RateLimitClient client = new RateLimitClient(sluice.grpcPort())) {
      Awaitility.await()
          .until(
              () ->
                  client.ask(REQUEST).getOverallCode() == Code.OK
                      && redis(port, "KEYS *|*").equals("*1"));
      assertThat(redis(port, "CLIENT PAUSE 1000")).isEqualTo("+OK");
      ListenableFuture<RateLimitResponse> waiting = client.begin(REQUEST);
      // On the same connection: once this is answered, the call before it has arrived.
      assertThat(client.health("")).contains(ServingStatus.SERVING);
      assertThat(waiting.isDone()).isFalse();

      sluice.terminate();
      assertThat(waiting.get().getOverallCode()).isEqualTo(Code.OK);
      assertThat(sluice.exitCode(DRAIN_TIMEOUT)).isZero();
    } finally {
      redis.stop();
    }
  }

  @Test
  void healthSaysThatItStopsWhileCallsAreStillTaken() throws Exception {
    try (SluiceProcess sluice = SluiceProcess.serve(rules, Map.of("DRAIN_DELAY", "2s"));
        RateLimitClient client = new RateLimitClient(sluice.grpcPort())) {
      assertThat(client.health("")).contains(ServingStatus.SERVING);
      assertThat(client.health("ratelimit")).contains(ServingStatus.SERVING);
      assertThat(healthcheck(sluice)).isEqualTo(200);

      sluice.terminate();
      Awaitility.await()
          .atMost(Duration.ofSeconds(1))
          .until(() -> client.health("").equals(Optional.of(ServingStatus.NOT_SERVING)));
      assertThat(client.health("ratelimit")).contains(ServingStatus.NOT_SERVING);
      assertThat(healthcheck(sluice)).isEqualTo(500);
      assertThat(client.codeOf(REQUEST)).isEqualTo(Status.Code.OK);
      assertThat(sluice.exitCode(DRAIN_TIMEOUT)).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"PORT,%d", "GRPC_PORT,%d", "PROMETHEUS_ADDR,127.0.0.1:%d"})
  void portThatIsTakenEndsTheStartAndNamesTheSetting(String setting, String value)
      throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ChildProcess sluice = start(Map.of(setting, String.format(value, taken.getLocalPort())))) {
      assertThat(sluice.exitCode()).isEqualTo(1);
      assertThat(sluice.errors())
          .contains("cannot listen on /127.0.0.1:" + taken.getLocalPort())
          .contains("Address already in use")
          .contains("(" + setting + " sets another)")
          .doesNotContain("\tat ");
      assertThat(sluice.output()).doesNotContain("Sluice is running");
    }
  }

  @Test
  void settingsThatMeanNothingEndTheStartAndAreAllNamed() {
    try (ChildProcess sluice = start(Map.of("GRPC_PORT", "http", "DRAIN_TIMEOUT", "5"))) {
      assertThat(sluice.exitCode()).isEqualTo(1);
      assertThat(sluice.errors())
          .contains("GRPC_PORT is 'http' (expected a whole number from 0 to 65535)")
          .contains("DRAIN_TIMEOUT is '5' (expected a duration such as 150ms or 1h30m)")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void brokenRulesKeepItWaitingAndMendedOnesMakeItReady() throws IOException {
    Gateway.edit(rules.resolve("api.yaml"), "unit: second", "unit: fortnight");
    Gateway.edit(rules.resolve("login.yaml"), "unit: hour", "unit: moon");
    try (SluiceProcess sluice = SluiceProcess.serve(rules, Map.of());
        RateLimitClient client = new RateLimitClient(sluice.grpcPort())) {
      assertThat(sluice.output()).contains("none are good yet");
      assertThat(client.codeOf(REQUEST)).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(client.health("")).contains(ServingStatus.NOT_SERVING);
      assertThat(healthcheck(sluice)).isEqualTo(500);
      assertThat(sluice.errors()).contains("api.yaml", "fortnight", "login.yaml", "moon");

      Gateway.edit(rules.resolve("api.yaml"), "unit: fortnight", "unit: second");
      Gateway.edit(rules.resolve("login.yaml"), "unit: moon", "unit: hour");
      Awaitility.await()
          .atMost(Duration.ofSeconds(2))
          .until(() -> client.health("").equals(Optional.of(ServingStatus.SERVING)));
      assertThat(client.codeOf(REQUEST)).isEqualTo(Status.Code.OK);
      assertThat(healthcheck(sluice)).isEqualTo(200);
    }
  }

  private ChildProcess start(Map<String, String> environment) {
    return SluiceProcess.run(
        SluiceProcess.PROJECT,
        environment,
        SluiceProcess.LAUNCHER.toString(),
        "serve",
        rules.toString());
  }

  /** The first line of what a Redis replies to a command. */
  private static String redis(int port, String command) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        BufferedReader reply =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
      socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
      return String.valueOf(reply.readLine());
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static int healthcheck(SluiceProcess sluice) {
    URI uri = URI.create("http://127.0.0.1:" + sluice.httpPort() + "/healthcheck");
    return HttpClient.newHttpClient()
        .sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
        .join()
        .statusCode();
  }
}
