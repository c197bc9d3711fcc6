package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.redis.RedisBucketStore;
import dev.sluice.redis.RedisLink;
import dev.sluice.redis.RedisResources;
import dev.sluice.redis.RedisScripts;
import dev.sluice.settings.Settings;
import dev.sluice.telemetry.Metrics;
import dev.sluice.telemetry.PoolTelemetry;
import dev.sluice.testing.Processes;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.SluiceProcess;
import dev.sluice.transport.EventLoops;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ways to a Redis that settings can name, each to a real one. */
final class RedisSettingsIT {
  private static final Path TLS = SluiceProcess.PROJECT.resolve("src/test/resources/tls");
  private static final Duration LONG = Duration.ofSeconds(10);

  @TempDir private Path scratch;

  @Test
  void aHostAndAPortAreEnough() {
    try (RedisProcess redis = RedisProcess.start()) {
      assertThat(decides(Map.of("REDIS_URL", redis.url()))).isTrue();
      assertThat(decides(Map.of("REDIS_URL", redis.url(), "REDIS_SOCKET_TYPE", "tcp"))).isTrue();
    }
  }

  @Test
  void aPathIsAUnixSocket() {
    String socket = scratch.resolve("redis.sock").toString();
    try (RedisProcess redis = RedisProcess.with("--unixsocket", socket)) {
      assertThat(decides(Map.of("REDIS_URL", socket))).isTrue();
      assertThat(decides(Map.of("REDIS_URL", socket, "REDIS_SOCKET_TYPE", "unix"))).isTrue();
      assertThat(decides(Map.of("REDIS_URL", "unix://" + socket))).isTrue();
      assertThat(keys(redis, 0)).isEqualTo(1);
    }
  }

  @Test
  void aPasswordIsOfTheStandardUserUnlessOneIsNamed() {
    try (RedisProcess redis =
        RedisProcess.with(
            "--requirepass", "s3cret", "--user", "ida", "on", ">wo:rd", "~*", "&*", "+@all")) {
      String url = redis.url();
      assertThat(decides(Map.of("REDIS_URL", url, "REDIS_AUTH", "s3cret"))).isTrue();
      assertThat(decides(Map.of("REDIS_URL", url, "REDIS_AUTH", "ida:wo:rd"))).isTrue();
      assertThat(decides(Map.of("REDIS_URL", "redis://:s3cret@" + url))).isTrue();
      assertThat(decides(Map.of("REDIS_URL", "redis://ida:wo%3Ard@" + url))).isTrue();
      assertThat(decides(Map.of("REDIS_URL", "redis://no:no@" + url, "REDIS_AUTH", "s3cret")))
          .isTrue();
      assertThat(decides(Map.of("REDIS_URL", url))).isFalse();
      assertThat(decides(Map.of("REDIS_URL", url, "REDIS_AUTH", "wrong"))).isFalse();
    }
  }

  @Test
  void theDatabaseIsTheOneInTheUrl() {
    try (RedisProcess redis = RedisProcess.start()) {
      assertThat(decides(Map.of("REDIS_URL", "redis://" + redis.url() + "/3"))).isTrue();

      assertThat(keys(redis, 0)).isZero();
      assertThat(keys(redis, 3)).isEqualTo(1);
    }
  }

  @Test
  void overTlsBothSidesShowWhoTheyAre() {
    assumeTrue(Processes.onPath("redis-server").isPresent(), "one that was built with TLS");
    int port = Processes.freePort();
    try (RedisProcess redis = tls(port)) {
      redis.tell(commands -> commands.ping());
      Map<String, String> files =
          Map.of(
              "REDIS_TLS_CACERT", file("ca.pem"),
              "REDIS_TLS_CLIENT_CERT", file("client.pem"),
              "REDIS_TLS_CLIENT_KEY", file("client.key"));

      assertThat(decides(files, "REDIS_URL", "rediss://localhost:" + port)).isTrue();
      assertThat(decides(files, "REDIS_URL", "localhost:" + port, "REDIS_TLS", "true")).isTrue();
      assertThat(decides(files, "REDIS_URL", "rediss://127.0.0.1:" + port)).isFalse();
      assertThat(
              decides(
                  files,
                  "REDIS_URL",
                  "rediss://127.0.0.1:" + port,
                  "REDIS_TLS_SKIP_HOSTNAME_VERIFICATION",
                  "true"))
          .isTrue();
      assertThat(decides(Map.of("REDIS_URL", "rediss://localhost:" + port))).isFalse();
    }
  }

  @Test
  void filesThatAreNotGoodEndTheStart() {
    Map<String, String> tls = Map.of("REDIS_URL", "rediss://localhost");
    assertThatThrownBy(() -> decides(tls, "REDIS_TLS_CACERT", "/no/ca.pem"))
        .hasMessage("REDIS_TLS_CACERT is '/no/ca.pem' (expected a file that can be read)");
    assertThatThrownBy(() -> decides(tls, "REDIS_TLS_CACERT", file("client.key")))
        .hasMessageContaining("(expected PEM, the key in PKCS#8)");
    assertThatThrownBy(
            () ->
                decides(
                    tls,
                    "REDIS_TLS_CLIENT_CERT",
                    file("client.pem"),
                    "REDIS_TLS_CLIENT_KEY",
                    file("client.pem")))
        .hasMessageContaining("(expected PEM, the key in PKCS#8)");
  }

  @Test
  void withoutTlsItsFilesDoNotMatter() {
    try (RedisProcess redis = RedisProcess.start()) {
      assertThat(decides(Map.of("REDIS_URL", redis.url(), "REDIS_TLS_CACERT", "/no"))).isTrue();
    }
  }

  @Test
  void aPasswordIsNeverSaid() {
    try (RedisProcess redis = RedisProcess.with("--requirepass", "other")) {
      Map<String, String> environment =
          Map.of(
              "REDIS_URL",
              "redis://ida:tops3cret@" + redis.url(),
              "LOG_LEVEL",
              "trace",
              "REDIS_POOL_SIZE",
              "5",
              "USE_PROMETHEUS",
              "false");
      try (SluiceProcess sluice =
          SluiceProcess.serve(SluiceProcess.PROJECT.resolve("config"), environment)) {
        await().atMost(LONG).until(() -> sluice.errors().contains("cannot be reached"));
        assertThat(sluice.errors() + sluice.output())
            .contains("Redis at " + redis.url() + " cannot be reached: WRONGPASS")
            .contains("Accepted and without effect here: REDIS_POOL_SIZE, USE_PROMETHEUS.")
            .doesNotContain("tops3cret");
      }
    }
  }

  private static long keys(RedisProcess redis, int database) {
    return redis.ask(
        commands -> {
          commands.select(database);
          return commands.dbsize();
        });
  }

  private static RedisProcess tls(int port) {
    return RedisProcess.with(
        "--tls-port",
        String.valueOf(port),
        "--tls-cert-file",
        file("redis.pem"),
        "--tls-key-file",
        file("redis.key"),
        "--tls-ca-cert-file",
        file("ca.pem"),
        "--tls-auth-clients",
        "yes");
  }

  private static String file(String name) {
    return TLS.resolve(name).toString();
  }

  private static boolean decides(Map<String, String> environment, String... more) {
    Map<String, String> all = new HashMap<>(environment);
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return decides(all);
  }

  /** Whether the Redis that the settings name decides. */
  private static boolean decides(Map<String, String> environment) {
    RedisScripts scripts = RedisScripts.load();
    try (EventLoops loops = new EventLoops(1);
        RedisResources resources =
            new RedisResources(loops, new PoolTelemetry(new Metrics(), PoolTelemetry.Pool.MAIN));
        RedisLink link =
            RedisLink.open(
                RedisSettings.address(Settings.of(environment)).orElseThrow(),
                100,
                scripts,
                resources)) {
      link.firstAttempt().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
      RedisBucketStore store = new RedisBucketStore(link, scripts, "rl:", (requests, nanos) -> {});
      BucketCharge charge =
          new BucketCharge(
              BucketKey.in("d").entry("k", "v").build(),
              Limit.of(99, Period.DAY),
              new Charge.Take(1),
              BucketCharge.Veto.ALONE);
      return store.decide(List.of(charge)).toCompletableFuture().join().get(0).conforms();
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(BucketStoreException.class);
      return false;
    }
  }
}
