package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreContract;
import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.testing.Exposition;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.RedisCluster;
import dev.sluice.testing.RedisProcess;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.lettuce.core.cluster.SlotHash;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** What is decided on a real cluster that is well, by all that stands before it. */
class ClusterIT {
  private static final String RULES =
      """
      domain: c
      descriptors:
        - {key: team, rate_limit: {unit: year, requests_per_unit: 1000}}
        - {key: user, rate_limit: {unit: year, requests_per_unit: 7}}
        - {key: tick, rate_limit: {unit: second, requests_per_unit: 1, burst: 20}}
      """;

  private static final String TENANTS =
      """
      domain: t
      slot_by: tenant
      descriptors:
        - key: tenant
          rate_limit: {unit: year, requests_per_unit: 1000}
          descriptors: [{key: path, rate_limit: {unit: year, requests_per_unit: 7}}]
      """;

  @TempDir private static Path scratch;
  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start(scratch);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** The homes of a cluster keep the contract of a store. */
  @Nested
  @TestInstance(Lifecycle.PER_CLASS)
  class OverItsHomes extends BucketStoreContract {
    private ClusterStack stack;

    @BeforeAll
    void connect() throws Exception {
      stack = new ClusterStack(cluster);
    }

    @AfterAll
    void close() {
      stack.close();
    }

    @Override
    protected BucketStore store() {
      return stack;
    }

    @Override
    protected void setClock(long micros) {
      stack.setClock(micros);
    }
  }

  @Test
  void aRequestOverSeveralSlotsIsTakenAsAWholeOrNotAtAll() {
    try (InProcessServer server = server(Map.of())) {
      List<RateLimitRequest> requests = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        String user = "u" + i % 5;
        assertThat(SlotHash.getSlot("rl:c|user=" + user))
            .isNotEqualTo(SlotHash.getSlot("rl:c|team=blue"));
        requests.add(request("c", 1, List.of("team", "blue"), List.of("user", user)));
      }

      assertThat(allowed(server, requests)).isEqualTo(5 * 7);
      assertThat(left(server, "c", "team", "blue")).isEqualTo(1_000 - 5 * 7);
      for (int i = 0; i < 5; i++) {
        assertThat(left(server, "c", "user", "u" + i)).isZero();
      }
      assertAllByRedis(server, 5 * 3);
    }
  }

  @Test
  void bucketsOfATenantAreOneCall() {
    try (InProcessServer server = server(Map.of())) {
      List<RateLimitRequest> requests = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        String tenant = "tenant" + i % 5;
        requests.add(
            request("t", 1, List.of("tenant", tenant), List.of("tenant", tenant, "path", "/p")));
      }

      assertThat(allowed(server, requests)).isEqualTo(5 * 7);
      for (int i = 0; i < 5; i++) {
        assertThat(left(server, "t", "tenant", "tenant" + i)).isEqualTo(1_000 - 7);
      }
      assertAllByRedis(server, 0);
      assertThat(keys())
          .contains("rl:{tenant0}t|tenant=tenant0", "rl:{tenant0}t|tenant=tenant0,path=/p");
    }
  }

  @Test
  void rulesOfASecondHaveARedisOfTheirOwnBesideTheCluster() {
    try (RedisProcess second = RedisProcess.start();
        InProcessServer server =
            server(Map.of("REDIS_PERSECOND", "true", "REDIS_PERSECOND_URL", second.url()))) {
      List<String> team = List.of("team", "green");
      List<String> tick = List.of("tick", "a");
      List<RateLimitRequest> requests =
          IntStream.range(0, 12)
              .mapToObj(i -> request("c", 1, tick, List.of("user", "eve")))
              .toList();

      Exposition page = Exposition.at(server.metrics("/metrics"));
      assertThat(page.value("ratelimit_redis_per_second_pool_cx_active")).isEqualTo(1);
      assertThat(page.value("ratelimit_redis_pool_cx_active")).isGreaterThanOrEqualTo(3);

      assertThat(allowed(server, requests)).isEqualTo(7);
      assertThat(left(server, "c", "tick", "a")).isBetween(20L - 7, 20L);
      assertAllByRedis(server, 5);

      RateLimitResponse tooMany =
          server.client().shouldRateLimit(request("c", 21, team, List.of("tick", "b")));
      assertThat(tooMany.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(left(server, "c", "team", "green")).isEqualTo(1_000);
      assertAllByRedis(server, 6);

      assertThat(keys()).contains("rl:c|user=eve").noneMatch(key -> key.startsWith("rl:c|tick"));
      List<String> there = second.ask(commands -> commands.keys("*"));
      assertThat(there).allMatch(key -> key.startsWith("rl:c|tick"));
      String counts = second.ask(commands -> commands.info("commandstats"));
      assertThat(counts).contains("cmdstat_evalsha");
    }
  }

  private static InProcessServer server(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("REDIS_TYPE", "cluster");
    settings.put("REDIS_URL", cluster.url());
    settings.put("REDIS_COMMAND_TIMEOUT", "8s");
    InProcessServer server =
        InProcessServer.of(Map.of("c.yaml", RULES, "t.yaml", TENANTS), settings);
    try (RateLimitClient client = new RateLimitClient(server.grpcPort())) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> client.health("").equals(Optional.of(ServingStatus.SERVING)));
    }
    return server;
  }

  /** How many of these are allowed, by four callers that ask at the same time. */
  private static long allowed(InProcessServer server, List<RateLimitRequest> requests) {
    List<CompletableFuture<Long>> callers = new ArrayList<>();
    for (int caller = 0; caller < 4; caller++) {
      int first = caller;
      callers.add(
          CompletableFuture.supplyAsync(
              () ->
                  IntStream.iterate(first, i -> i < requests.size(), i -> i + 4)
                      .mapToObj(i -> server.client().shouldRateLimit(requests.get(i)))
                      .filter(it -> it.getOverallCode() == Code.OK)
                      .count()));
    }
    return callers.stream().mapToLong(CompletableFuture::join).sum();
  }

  private static long left(InProcessServer server, String domain, String... entries) {
    RateLimitResponse looked =
        server.client().shouldRateLimit(RateLimitClient.report(0, domain, entries));
    return looked.getStatuses(0).getLimitRemaining();
  }

  private static RateLimitRequest request(String domain, int hits, List<?>... descriptors) {
    RateLimitRequest.Builder request =
        RateLimitRequest.newBuilder().setDomain(domain).setHitsAddend(hits);
    for (List<?> entries : descriptors) {
      RateLimitDescriptor.Builder descriptor = request.addDescriptorsBuilder();
      for (int i = 0; i < entries.size(); i += 2) {
        descriptor
            .addEntriesBuilder()
            .setKey(entries.get(i).toString())
            .setValue(entries.get(i + 1).toString());
      }
    }
    return request.build();
  }

  /** Nothing failed or was decided by somebody else, and so many parts of requests gave back. */
  private static void assertAllByRedis(InProcessServer server, int returned) {
    Exposition page = Exposition.at(server.metrics("/metrics"));
    assertThat(page.value("sluice_reservations_returned_total")).isEqualTo(returned);
    assertThat(page.beginning("sluice_redis_failures_total").values())
        .isNotEmpty()
        .allMatch(it -> it == 0);
    assertThat(page.beginning("sluice_local_decisions_total").values())
        .isNotEmpty()
        .allMatch(it -> it == 0);
  }

  private static List<String> keys() {
    return Stream.of(0, 1, 2)
        .flatMap(node -> cluster.node(node).ask(commands -> commands.keys("rl:*")).stream())
        .toList();
  }
}
