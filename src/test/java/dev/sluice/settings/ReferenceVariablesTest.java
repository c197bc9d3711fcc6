package dev.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the variables that envoyproxy/ratelimit reads. */
class ReferenceVariablesTest {
  @ParameterizedTest
  @CsvSource({
    "localhost:6379, redis://localhost:6379",
    "redis, redis://redis",
    "[::1]:6379, redis://[::1]:6379",
    "redis://ida:word@redis:1/3, redis://ida:word@redis:1/3",
    "rediss://redis, rediss://redis",
    "/run/redis.sock, unix:/run/redis.sock",
    "unix:///run/redis.sock, unix:/run/redis.sock",
  })
  void aRedisIsAHostAUrlOrAPath(String text, URI url) {
    assertThat(RedisVariables.MAIN.servers(Settings.of(Map.of("REDIS_URL", text))))
        .contains(new RedisServers("single", "", List.of(url)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a:1,b:2",
        "localhost:port",
        "localhost:0",
        "localhost:65536",
        "a b",
        "redis://",
        "http://redis:6379",
        "redis://redis/first",
        "redis://redis?timeout=1s",
        "run/redis.sock",
      })
  void whatIsNoRedisIsRefused(String text) {
    assertThatThrownBy(() -> Settings.of(Map.of("REDIS_URL", text)))
        .hasMessageStartingWith("REDIS_URL is '")
        .hasMessageContaining("(expected host:port, ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://:hush",
        "redis://ida:hush@",
        "redis://ida:hush@host:port",
        "redis://ida:hu#hush@host",
        "ida:a b@hush@host",
        "hush hush@host",
      })
  void aPasswordInAUrlIsNotRepeated(String text) {
    assertThatThrownBy(() -> Settings.of(Map.of("REDIS_URL", text)))
        .hasMessageStartingWith("REDIS_URL is '")
        .hasMessageNotContaining("hush");
  }

  @ParameterizedTest
  @CsvSource({
    "BACKEND_TYPE, redis, memcache",
    "BACKEND_TYPE, Redis, memcached",
  })
  void whatWouldChangeLimitsIsNotIgnored(String name, String taken, String refused) {
    assertThat(Settings.of(Map.of(name, taken)).withoutEffect()).isEmpty();
    assertThatThrownBy(() -> Settings.of(Map.of(name, refused)))
        .isInstanceOf(SettingException.class)
        .hasMessageStartingWith(String.format("%s is '%s' (expected ", name, refused))
        .hasMessageContaining(", since ");
  }

  @Test
  void whatHasNoEffectIsNamedWhereItIsSet() {
    Settings settings =
        Settings.of(
            Map.of(
                "USE_PROMETHEUS", "true",
                "REDIS_POOL_SIZE", "20",
                "REDIS_PIPELINE_WINDOW", "150us",
                "MEMCACHE_SRV", "",
                "OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318",
                "PORT", "80",
                "PATH", "/bin"));

    assertThat(settings.withoutEffect())
        .containsExactly("REDIS_PIPELINE_WINDOW", "REDIS_POOL_SIZE", "USE_PROMETHEUS");
  }

  @Test
  void evenWhatHasNoEffectHasToBeOfItsKind() {
    refuses("USE_PROMETHEUS", "no", "true or false");
    refuses("REDIS_POOL_SIZE", "many", "a number");
    refuses("REDIS_PIPELINE_WINDOW", "10", "a duration such as 150ms or 1h30m");
  }

  @ParameterizedTest
  @CsvSource({
    "SENTINEL, 'my_master,a:1,redis://ida:word@b:2', my_master, redis://a:1 redis://ida:word@b:2",
    "Sentinel, 'mymaster, a', mymaster, redis://a",
    "cluster, 'a:1,b:2', '', redis://a:1 redis://b:2",
    "CLUSTER, rediss://a:1/0, '', rediss://a:1/0",
  })
  void sentinelsAndNodesAreAList(String type, String text, String primary, String urls) {
    Settings settings = Settings.of(Map.of("REDIS_TYPE", type, "REDIS_URL", text));
    RedisServers servers = RedisVariables.MAIN.servers(settings).orElseThrow();
    assertThat(servers.type()).isEqualTo(type.toLowerCase(Locale.ROOT));
    assertThat(servers.primary()).isEqualTo(primary);
    assertThat(servers.urls().stream().map(URI::toString)).containsExactly(urls.split(" "));
  }

  @ParameterizedTest
  @CsvSource({
    "sentinel, mymaster",
    "sentinel, 'a:1,b:2'",
    "sentinel, ',b:2'",
    "sentinel, 'mymaster,/run/redis.sock'",
    "sentinel, 'mymaster,redis://a/1'",
    "cluster, 'a:1,b:2/3'",
    "cluster, ''",
    "sentinel, ''",
  })
  void aListThatNamesNoServersIsRefused(String type, String text) {
    assertThatThrownBy(() -> Settings.of(Map.of("REDIS_TYPE", type, "REDIS_URL", text)))
        .isInstanceOf(SettingException.class)
        .hasMessageStartingWith("REDIS_URL is '")
        .hasMessageContaining(
            type.equals("cluster") ? "host:port of nodes" : "the name of the primary");
  }

  @Test
  void aSecondRedisHasToBeSomewhereAndNeedsAFirst() {
    assertThatThrownBy(() -> Settings.of(Map.of("REDIS_PERSECOND", "true")))
        .hasMessageContaining("REDIS_URL is '' (expected where it is")
        .hasMessageContaining("REDIS_PERSECOND_URL is '' (expected where it is");
    assertThatThrownBy(
            () ->
                Settings.of(
                    Map.of(
                        "REDIS_URL", "a",
                        "REDIS_PERSECOND", "true",
                        "REDIS_PERSECOND_URL", "a:b")))
        .hasMessageStartingWith("REDIS_PERSECOND_URL is 'a:b' (expected host:port, ");
    assertThat(Settings.of(Map.of("REDIS_PERSECOND_URL", "a:b")).withoutEffect()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "tcp, /run/redis.sock, 'unix, since REDIS_URL is a path'",
    "unix, redis:6379, 'tcp, since REDIS_URL is no path'",
  })
  void theTypeOfTheSocketAndTheUrlHaveToFit(String type, String url, String expected) {
    assertThatThrownBy(() -> Settings.of(Map.of("REDIS_SOCKET_TYPE", type, "REDIS_URL", url)))
        .hasMessage(String.format("REDIS_SOCKET_TYPE is '%s' (expected %s)", type, expected));
  }

  @Test
  void aCertificateNeedsItsKeyAndASocketNoTls() {
    assertThatThrownBy(
            () ->
                Settings.of(
                    Map.of(
                        "REDIS_URL", "/redis.sock",
                        "REDIS_TLS", "true",
                        "REDIS_TLS_CLIENT_CERT", "a.pem")))
        .hasMessage(
            String.join(
                System.lineSeparator(),
                "REDIS_TLS is 'true' (expected false, since REDIS_URL is a path)",
                "REDIS_TLS_CLIENT_KEY is '' (expected a file, since REDIS_TLS_CLIENT_CERT is set)"));
  }

  private static void refuses(String name, String text, String expected) {
    assertThatThrownBy(() -> Settings.of(Map.of(name, text)))
        .isInstanceOf(SettingException.class)
        .hasMessage(String.format("%s is '%s' (expected %s)", name, text, expected));
  }
}
