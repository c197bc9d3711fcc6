package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.testing.Exposition;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.SluiceProcess;
import dev.sluice.testing.StatsdListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a whole server sends. The numbers are those of the reference server's cases. */
final class StatsdIT {
  private static final String RULES = "ratelimit.service.rate_limit.";
  private static final String DAY = "rate_limit: {unit: day, requests_per_unit: ";

  private static InProcessServer server(
      StatsdListener statsd, Map<String, String> settings, String... descriptors) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("STATSD_PORT", Integer.toString(statsd.port()));
    all.putIfAbsent("STATS_FLUSH_INTERVAL", "20ms");
    String rules = "domain: d\ndescriptors: [" + String.join(", ", descriptors) + "]\n";
    return InProcessServer.of(Map.of("d.yaml", rules), all);
  }

  private static void ask(InProcessServer server, int times, String domain, String... entries) {
    for (int i = 0; i < times; i++) {
      var unused = server.client().shouldRateLimit(RateLimitClient.request(domain, entries));
    }
  }

  private static Exposition page(InProcessServer server) {
    return Exposition.at(server.metrics("/metrics"));
  }

  private static Map<String, Long> counters(StatsdListener statsd, Predicate<String> names) {
    Map<String, Long> found = new TreeMap<>(statsd.counters());
    found.keySet().removeIf(names.negate());
    return found;
  }

  @Test
  void everyLevelOfARuleIsInTheNamesOfItsCounters() {
    try (StatsdListener statsd = StatsdListener.tcp();
        InProcessServer server =
            server(
                statsd,
                Map.of(),
                "{key: key3, value: val3, descriptors: [{key: key4, value: val4, "
                    + DAY
                    + "0}, descriptors: [{key: key5, value: val5, shadow_mode: true, "
                    + DAY
                    + "5}}]}]}")) {
      ask(server, 1, "d", "key3", "val3", "key4", "val4");
      ask(server, 6, "d", "key3", "val3", "key4", "val4", "key5", "val5");
      ask(server, 2, "who:knows", "k", "v");
      String four = RULES + "d.key3_val3.key4_val4.";
      String five = four + "key5_val5.";
      statsd.awaitCounter("ratelimit_server.ShouldRateLimit.total_requests", 9);
      statsd.awaitCounter(RULES + "who_knows.domain_not_found", 2);
      statsd.awaitCounter(five + "total_hits", 6);

      assertThat(counters(statsd, it -> it.startsWith(RULES + "d.")))
          .containsOnly(
              Map.entry(four + "total_hits", 1L),
              Map.entry(four + "over_limit", 1L),
              Map.entry(five + "total_hits", 6L),
              Map.entry(five + "within_limit", 5L),
              Map.entry(five + "near_limit", 1L),
              Map.entry(five + "over_limit", 1L),
              Map.entry(five + "shadow_mode", 1L));
      assertThat(statsd.counters()).containsEntry("ratelimit.service.config_load_success", 1L);
      assertThat(statsd.lines()).contains("ratelimit.redis_pool.cx_active:0|g");
      assertThat(
              page(server)
                  .value(
                      "ratelimit_service_rate_limit_total_hits"
                          + "{domain=\"d\",key1=\"key3_val3\",key2=\"key4_val4\"}"))
          .isEqualTo(7);
    }
  }

  @Test
  void eachCallHasALineWithItsMilliseconds() {
    try (StatsdListener statsd = StatsdListener.tcp();
        InProcessServer server = server(statsd, Map.of(), "{key: k, " + DAY + "100}}")) {
      ask(server, 50, "d", "k", "v");
      statsd.awaitCounter("ratelimit_server.ShouldRateLimit.total_requests", 50);
      String time = "ratelimit_server.ShouldRateLimit.response_time:[0-9]+[|]ms";
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> statsd.lines().stream().filter(it -> it.matches(time)).count() == 50);
    }
  }

  @Test
  void valuesOfRequestsAreCountedByThemAndMakeNoLinesAndNoTags() {
    try (StatsdListener statsd = StatsdListener.tcp();
        InProcessServer server =
            server(statsd, Map.of(), "{key: k, detailed_metric: true, " + DAY + "100}}")) {
      ask(server, 1, "d", "k", "a\nevil:1|c\r\nb|#t:1.__tag=x");
      ask(server, 1, "do\nmain.__t=1", "k", "v");
      String safe = RULES + "d.k_a_evil_1_c__b_#t_1___tag=x.";
      statsd.awaitCounter(safe + "total_hits", 1);
      statsd.awaitCounter(RULES + "do_main___t=1.domain_not_found", 1);
      assertThat(counters(statsd, it -> !it.startsWith("ratelimit")).keySet()).isEmpty();
      assertThat(statsd.lines()).allMatch(it -> it.matches("[^:|]+:[0-9]+[|](c|g|ms)"));
    }
  }

  @Test
  void extraTagsAreInEveryNameAndOnEveryLineOfTheReferencesPage126() {
    try (StatsdListener statsd = StatsdListener.tcp();
        InProcessServer server =
            server(
                statsd,
                Map.of("EXTRA_TAGS", "foo:bar,a:b,domain:other,app-name:x"),
                "{key: key1, " + DAY + "100}}")) {
      ask(server, 1, "d", "key1", "v");
      String tags = ".__a=b.__app-name=x.__domain=other.__foo=bar";
      statsd.awaitCounter(RULES + "d.key1.total_hits" + tags, 1);
      statsd.awaitCounter("ratelimit.service.config_load_success" + tags, 1);
      statsd.awaitCounter("ratelimit_server.ShouldRateLimit.total_requests" + tags, 1);

      Exposition page = page(server);
      String labels = "a=\"b\",app_name=\"x\",domain=\"d\",foo=\"bar\",key1=\"key1\"";
      assertThat(page.value("ratelimit_service_rate_limit_total_hits{" + labels + "}"))
          .isEqualTo(1);
      assertThat(page.samples().keySet())
          .filteredOn(it -> it.startsWith("ratelimit_"))
          .allMatch(it -> it.contains("a=\"b\"") && it.contains("foo=\"bar\""))
          .hasSizeGreaterThan(20);
      assertThat(page.samples().keySet())
          .filteredOn(it -> it.startsWith("sluice_"))
          .noneMatch(it -> it.contains("foo=\"bar\""));
    }
  }

  @Test
  void dogStatsdGetsTagsAndNamesThatMogrifiersMake() {
    Map<String, String> settings =
        Map.of(
            "USE_DOG_STATSD", "true",
            "EXTRA_TAGS", "foo:bar",
            "USE_DOG_STATSD_MOGRIFIERS", "RULE",
            "DOG_STATSD_MOGRIFIER_RULE_PATTERN",
                "^ratelimit\\.service\\.rate_limit\\.(.*)\\.(.*)\\.(.*)$",
            "DOG_STATSD_MOGRIFIER_RULE_NAME", "ratelimit.rule.$3",
            "DOG_STATSD_MOGRIFIER_RULE_TAGS", "domain:$1,descriptor:$2");
    try (StatsdListener statsd = StatsdListener.udp();
        InProcessServer server = server(statsd, settings, "{key: k, " + DAY + "100}}")) {
      ask(server, 3, "d", "k", "v");
      statsd.awaitCounter("ratelimit.rule.total_hits|#foo:bar,descriptor:k,domain:d", 3);
      statsd.awaitCounter("ratelimit_server.ShouldRateLimit.total_requests|#foo:bar", 3);
      assertThat(statsd.lines()).contains("ratelimit.redis_pool.cx_active:0|g|#foo:bar");
    }
  }

  /** A denial is remembered for a second at most, so on a slow machine some of four ask again. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsDeniedFromMemoryIsCountedSoAndOnceAsOver108And109And110(boolean shadow) {
    String rule = "{key: k, shadow_mode: " + shadow + ", " + DAY + "40}}";
    try (RedisProcess redis = RedisProcess.start();
        StatsdListener statsd = StatsdListener.tcp();
        InProcessServer server = server(statsd, Map.of("REDIS_URL", redis.url()), rule)) {
      RateLimitRequest two =
          RateLimitClient.request("d", "k", "v").toBuilder().setHitsAddend(2).build();
      for (int i = 0; i < 25; i++) {
        var unused = server.client().shouldRateLimit(two);
      }
      String name = RULES + "d.k.";
      statsd.awaitCounter(name + "total_hits", 50);
      statsd.awaitCounter(name + "over_limit", 10);
      long cached = statsd.counters().getOrDefault(name + "over_limit_with_local_cache", 0L);
      assertThat(cached).isBetween(2L, 8L);
      assertThat(statsd.counters().getOrDefault(name + "shadow_mode", 0L))
          .isEqualTo(shadow ? 10 : 0);
      long hits = cached / 2;
      statsd.awaitLine("ratelimit.localcache.hitCount:" + hits + "|g");
      statsd.awaitLine("ratelimit.localcache.missCount:" + (25 - hits) + "|g");
      statsd.awaitLine("ratelimit.localcache.lookupCount:25|g");
      statsd.awaitLine("ratelimit.localcache.entryCount:1|g");
      statsd.awaitLine("ratelimit.redis_pool.cx_active:1|g");

      Exposition page = page(server);
      String labels = "{domain=\"d\",key1=\"k\"}";
      assertThat(page.value("ratelimit_service_rate_limit_over_limit" + labels)).isEqualTo(10);
      assertThat(page.value("ratelimit_service_rate_limit_over_limit_with_local_cache" + labels))
          .isEqualTo((double) cached);
      assertThat(page.value("ratelimit_localcache_hitCount")).isEqualTo((double) hits);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DISABLE_STATS=true", "USE_STATSD=false"})
  void nothingIsSentWhereNothingIsWanted(String setting) {
    String[] pair = setting.split("=", 2);
    try (StatsdListener statsd = StatsdListener.tcp();
        InProcessServer server =
            server(statsd, Map.of(pair[0], pair[1]), "{key: k, " + DAY + "100}}")) {
      ask(server, 100, "d", "k", "v");
      Exposition page = page(server);
      assertThat(page.value("ratelimit_service_rate_limit_total_hits{domain=\"d\",key1=\"k\"}"))
          .isEqualTo(100);
      assertThat(page.value("sluice_statsd_lines_total{result=\"sent\"}")).isZero();
      assertThat(page.value("sluice_statsd_lines_total{result=\"dropped\"}")).isZero();
      assertThat(statsd.connections()).isZero();
    }
  }

  @Test
  void byDefaultNobodyIsMissed(@TempDir Path rules) throws IOException {
    assumeThat(isListeningAt(8125)).isFalse();
    Files.writeString(rules.resolve("d.yaml"), "domain: d\ndescriptors: []\n");
    try (SluiceProcess server =
        SluiceProcess.serve(rules, Map.of("STATS_FLUSH_INTERVAL", "20ms"))) {
      URI page = URI.create("http://127.0.0.1:" + server.metricsPort() + "/metrics");
      await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () ->
                  Exposition.at(page).value("sluice_statsd_lines_total{result=\"dropped\"}") > 10);
      assertThat(server.errors()).doesNotContainIgnoringCase("statsd");
    }
  }

  private static boolean isListeningAt(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException nobody) {
      return false;
    }
  }

  @Test
  void countersOfRulesThatChangeAreSentOnce() {
    String rule = "{key: a, descriptors: [{key: b, descriptors: [{key: %s, " + DAY + "9}}]}]}";
    try (StatsdListener statsd = StatsdListener.tcp();
        InProcessServer server = server(statsd, Map.of(), rule.formatted("c"))) {
      String begin = RULES + "d.a.b.";
      ask(server, 2, "d", "a", "1", "b", "1", "c", "1");
      statsd.awaitCounter(begin + "c.total_hits", 2);
      for (String key : List.of("e", "c")) {
        String text = "domain: d\ndescriptors: [" + rule.formatted(key) + "]\n";
        server.reload(Map.of("d.yaml", text));
        ask(server, 3, "d", "a", "1", "b", "1", key, "1");
      }
      statsd.awaitCounter(begin + "e.total_hits", 3);
      statsd.awaitCounter(begin + "c.total_hits", 5);
      assertThat(
              page(server)
                  .value(
                      "ratelimit_service_rate_limit_total_hits"
                          + "{domain=\"d\",key1=\"a\",key2=\"b\"}"))
          .isEqualTo(8);
    }
  }
}
