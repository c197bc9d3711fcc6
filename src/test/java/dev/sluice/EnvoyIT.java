package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testing.EnvoyBinary;
import dev.sluice.testing.EnvoyConfig;
import dev.sluice.testing.EnvoyProcess;
import dev.sluice.testing.Gateway;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sluice behind a real Envoy, with the configuration and the rules that the project ships.
 *
 * <p>Envoy gives an answer 20 ms. On a busy machine a call may miss them for reasons that are not
 * Sluice's, and whether it was charged is then anybody's guess; so what counts units runs again,
 * with a new key, when Envoy says that it missed an answer meanwhile.
 */
final class EnvoyIT {
  private static final int TRIES = 5;
  private static final long SECONDS_PER_UNIT = 1_440;

  @TempDir private static Path scratch;
  private static @Nullable Gateway shared;

  private Path binary;
  private Gateway gateway;

  /** Before each test, not before all: tests that are skipped all at once leave no trace. */
  @BeforeEach
  void start() {
    binary = EnvoyBinary.orSkip();
    if (shared == null) {
      shared = new Gateway(binary, rules(), scratch);
    }
    gateway = shared;
  }

  @AfterAll
  static void stop() {
    if (shared != null) {
      shared.close();
    }
  }

  private static Path rules() {
    Path rules = scratch.resolve("rules");
    Gateway.copyRules(rules);
    // 60 a day instead of 60 a minute: nothing worth counting flows back while a test runs.
    Gateway.edit(
        rules.resolve("api.yaml"),
        "          unit: minute\n          requests_per_unit: 60\n",
        "          unit: day\n          requests_per_unit: 60\n");
    return rules;
  }

  @Test
  void envoyAcceptsTheShippedConfiguration() {
    EnvoyProcess.validate(binary, EnvoyConfig.SHIPPED);
  }

  @Test
  void burstGetsExactlyTheLimitAndThen429() {
    inTime(
        key -> {
          List<HttpResponse<String>> all =
              gateway.burst(90, "api", "x-plan", "free", "x-api-key", key);
          assertThat(statuses(all)).isEqualTo(Map.of(200, 60L, 429, 30L));

          HttpResponse<String> denied = free(key);
          assertThat(denied.statusCode()).isEqualTo(429);
          assertThat(header(denied, "x-envoy-ratelimited")).isEqualTo("true");
          assertThat(number(denied, "retry-after"))
              .isBetween(SECONDS_PER_UNIT - 60, SECONDS_PER_UNIT);
          assertThat(header(denied, "x-ratelimit-limit")).isEqualTo("60, 60;w=86400");
          assertThat(header(denied, "x-ratelimit-remaining")).isEqualTo("0");
          assertThat(number(denied, "x-ratelimit-reset")).isBetween(86_400L - 60, 86_400L);
        });
  }

  @Test
  void headersSayWhatIsLeftAndWhenAllOfItIsBack() {
    inTime(
        key -> {
          long began = System.nanoTime();
          for (int used = 1; used <= 5; used++) {
            HttpResponse<String> response = free(key);
            long elapsed = Duration.ofNanos(System.nanoTime() - began).toSeconds() + 1;
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(header(response, "x-ratelimit-limit")).isEqualTo("60, 60;w=86400");
            assertThat(header(response, "x-ratelimit-remaining")).isEqualTo("" + (60 - used));
            assertThat(number(response, "x-ratelimit-reset"))
                .isBetween(used * SECONDS_PER_UNIT - elapsed, used * SECONDS_PER_UNIT);
          }
        });
  }

  @Test
  void keysDoNotShareABucketAndOtherPlansAreNotLimited() {
    inTime(
        key -> {
          assertThat(number(free(key), "x-ratelimit-remaining")).isEqualTo(59);
          assertThat(number(free(key + "-other"), "x-ratelimit-remaining")).isEqualTo(59);
          List<HttpResponse<String>> unlimited =
              gateway.burst(100, "api", "x-plan", "internal", "x-api-key", key);
          assertThat(statuses(unlimited)).isEqualTo(Map.of(200, 100L));
        });
  }

  @Test
  void limitThatIsRaisedInTheFileCountsAtOnceAndKeepsWhatIsUsed() {
    String before = "unit: day\n          requests_per_unit: 60\n";
    String after = "unit: day\n          requests_per_unit: 100\n";
    inTime(
        key -> {
          gateway.burst(70, "api", "x-plan", "free", "x-api-key", key);
          assertThat(free(key).statusCode()).isEqualTo(429);

          gateway.edit("api.yaml", before, after);
          try {
            awaitLimit("100, 100;w=86400");
            List<HttpResponse<String>> more =
                gateway.burst(60, "api", "x-plan", "free", "x-api-key", key);
            assertThat(statuses(more)).isEqualTo(Map.of(200, 40L, 429, 20L));
          } finally {
            gateway.edit("api.yaml", after, before);
            awaitLimit("60, 60;w=86400");
          }
          assertThat(free(key).statusCode()).isEqualTo(429);
        });
  }

  @Test
  void costThatIsKnownBeforehandIsTakenAsAWholeOrNotAtAll() {
    inTime(
        tenant -> {
          assertThat(message(tenant, "600").statusCode()).isEqualTo(200);
          assertThat(message(tenant, "600").statusCode()).isEqualTo(429);
          HttpResponse<String> rest = message(tenant, "399");
          assertThat(rest.statusCode()).isEqualTo(200);
          assertThat(header(rest, "x-ratelimit-remaining")).isEqualTo("1");
          assertThat(header(rest, "x-ratelimit-limit"))
              .isEqualTo("1000, 1000;w=86400;name=\"messages-per-tenant\"");
        });
  }

  @Test
  void costThatIsKnownAfterwardsIsChargedInFullAndRunsIntoDebt() {
    inTime(
        user -> {
          // The question takes nothing, whatever the answer will cost.
          HttpResponse<String> first = chat(user, 99_990);
          assertThat(first.statusCode()).isEqualTo(200);
          assertThat(header(first, "x-ratelimit-remaining")).isEqualTo("100000");
          assertThat(first.headers().firstValue("x-tokens")).isEmpty();
          awaitBacklog(user, 99_990);

          // Some tokens are left, so the next may begin; its answer costs far more than that.
          assertThat(chat(user, 5_000).statusCode()).isEqualTo(200);
          awaitBacklog(user, 104_990);

          // 4990 tokens of debt: 180 seconds until one more may pass, 3780 until all is paid.
          HttpResponse<String> third = chat(user, 1);
          assertThat(third.statusCode()).isEqualTo(429);
          assertThat(header(third, "x-ratelimit-remaining")).isEqualTo("0");
          assertThat(number(third, "x-ratelimit-reset")).isCloseTo(3_780L, within(30L));
        });
  }

  @Test
  void loginNeedsBothTheAccountAndTheAddressToAllowIt() {
    inTime(
        account -> {
          // The address has a burst of 3 and gets one back every 3 seconds; both policies are told.
          List<HttpResponse<String>> all = gateway.burst(20, "login", "x-account", account);
          assertThat(statuses(all))
              .hasEntrySatisfying(429, denied -> assertThat(denied).isBetween(16L, 20L));
          assertThat(all)
              .allSatisfy(
                  it ->
                      assertThat(header(it, "x-ratelimit-limit"))
                          .isIn("20, 5;w=3600, 20;w=60", "5, 5;w=3600, 20;w=60"));
        });
  }

  private void inTime(Consumer<String> scene) {
    for (int i = 1; ; i++) {
      long before = gateway.callsWithoutAnswer();
      AssertionError failure = null;
      try {
        scene.accept("key-" + UUID.randomUUID());
      } catch (AssertionError e) {
        failure = e;
      }
      long missed = gateway.callsWithoutAnswer() - before;
      if (missed == 0 && failure == null) {
        return;
      }
      if (missed == 0) {
        throw failure;
      }
      if (i == TRIES) {
        throw new AssertionError("Envoy missed answers in each of " + TRIES + " tries", failure);
      }
    }
  }

  private void awaitLimit(String limit) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(2))
        .pollInterval(Duration.ofMillis(25))
        .until(
            () -> free("asks").headers().firstValue("x-ratelimit-limit").orElse(""), limit::equals);
  }

  /** Waits until a report has arrived: it is sent once the stream is done. */
  private void awaitBacklog(String user, long tokens) {
    String question =
        String.format(
            "{\"domain\":\"messaging\",\"descriptors\":[{\"entries\":"
                + "[{\"key\":\"model_user\",\"value\":\"%s\"}],\"hitsAddend\":0}]}",
            user);
    // 100000 an hour: the seconds until nothing is used say how much is.
    long seconds = Math.round(tokens * 0.036);
    Awaitility.await()
        .atMost(Duration.ofSeconds(5))
        .until(() -> resetOf(gateway.ask(question)), it -> Math.abs(it - seconds) <= 20);
  }

  private static long resetOf(String json) {
    String seconds = json.replaceFirst("(?s).*\"durationUntilReset\":\"(\\d+)s\".*", "$1").strip();
    return seconds.equals(json.strip()) ? 0 : Long.parseLong(seconds);
  }

  private HttpResponse<String> free(String key) {
    return gateway.get("api", "/", "x-plan", "free", "x-api-key", key);
  }

  private HttpResponse<String> message(String tenant, String parts) {
    return gateway.get("api", "/v1/messages", "x-tenant", tenant, "x-message-parts", parts);
  }

  private HttpResponse<String> chat(String user, long answerCosts) {
    return gateway.get("api", "/v1/chat", "x-user", user, "x-answer-costs", "" + answerCosts);
  }

  private static Map<Integer, Long> statuses(List<HttpResponse<String>> responses) {
    return responses.stream()
        .collect(Collectors.groupingBy(HttpResponse::statusCode, Collectors.counting()));
  }

  private static String header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  private static long number(HttpResponse<String> response, String name) {
    return Long.parseLong(header(response, name));
  }
}
