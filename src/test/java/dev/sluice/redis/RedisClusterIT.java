package dev.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.bucket.BatchStore.Outcome;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.testing.RedisCluster;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.Relay;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store does on a real cluster. The order of a test's steps saves starting it again. */
class RedisClusterIT {
  private static final Limit PLENTY = Limit.of(1_000_000, Period.YEAR);

  @TempDir private Path scratch;

  @Test
  void slotsMayMoveAndPrimariesMayFall() throws Exception {
    try (RedisCluster cluster = RedisCluster.start(scratch);
        RedisFixture fixture = fixture(cluster).connected()) {
      BucketStore store = fixture.store(Duration.ofSeconds(5));
      manySlotsGoInOneBatch(fixture, cluster);
      nothingIsLostOrChargedTwiceWhileSlotsMove(store, cluster);
      aReplicaTakesOver(store, fixture, cluster);
    }
  }

  @Test
  void aPrimaryFromWhichNothingArrivesIsGivenUpAndFoundAgain() {
    try (RedisProcess redis =
            RedisProcess.with(
                "--cluster-enabled",
                "yes",
                "--cluster-config-file",
                scratch.resolve("nodes").toString());
        Relay network = new Relay(redis.port())) {
      redis.tell(
          commands -> {
            commands.clusterAddSlots(IntStream.range(0, 16_384).toArray());
            commands.configSet("cluster-announce-port", String.valueOf(network.port()));
          });
      try (RedisFixture fixture = fixture(network.url()).connected()) {
        BucketStore store = fixture.store(Duration.ofMillis(200));
        soon().until(() -> decides(store, fixture, "k"));
        network.swallow();
        soon().until(() -> !decides(store, fixture, "k"));
        // The relay goes on taking what is sent to it, so TCP would never find out.
        Queue<String> answering = new ConcurrentLinkedQueue<>();
        fixture.link().onAnswer(answering::add);
        network.mend();
        soon().until(() -> decides(store, fixture, "k"));
        assertThat(answering).isNotEmpty().containsOnly(network.url());
      }
    }
  }

  @Test
  void nobodyWaitsForReplicasAndAddressesThatSayNothing() throws Exception {
    try (RedisCluster cluster = RedisCluster.start(scratch);
        Relay silent = new Relay(cluster.node(0).port())) {
      silent.swallow();
      IntStream.range(3, 6).forEach(replica -> cluster.node(replica).pause());
      try (RedisFixture fixture = fixture(silentFirst(silent, cluster)).connected()) {
        BucketStore store = fixture.store(Duration.ofSeconds(5));
        manySlotsGoInOneBatch(fixture, cluster);
        nothingIsLostOrChargedTwiceWhileSlotsMove(store, cluster);
        ClusterLink link = (ClusterLink) fixture.link();
        link.look();
        soon().until(() -> address(link, 0).equals(cluster.node(1).url()));

        cluster.node(5).resume();
        soon().until(() -> replication(cluster.node(5)).contains("master_link_status:up"));
        aReplicaTakesOver(store, fixture, cluster);
      }
    }
  }

  private static String silentFirst(Relay silent, RedisCluster cluster) {
    return IntStream.iterate(5, node -> node >= 0, node -> node - 1)
        .mapToObj(node -> cluster.node(node).url())
        .collect(Collectors.joining(",", silent.url() + ",", ""));
  }

  private static String replication(RedisProcess node) {
    return node.ask(commands -> commands.info("replication"));
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofSeconds(10)).pollInterval(Duration.ofMillis(20));
  }

  private static RedisFixture fixture(RedisCluster cluster) {
    return fixture(cluster.url());
  }

  private static RedisFixture fixture(String nodes) {
    List<URI> urls = Stream.of(nodes.split(",")).map(it -> URI.create("redis://" + it)).toList();
    return new RedisFixture(new Topology.Cluster(urls), Secret.NONE, RedisScripts.load(), 4_096);
  }

  private static void manySlotsGoInOneBatch(RedisFixture fixture, RedisCluster cluster) {
    List<List<BucketCharge>> groups =
        IntStream.range(0, 100).mapToObj(i -> List.of(take("batch" + i, 1))).toList();
    List<Outcome> outcomes = join(fixture.redis().decideAll(groups).toCompletableFuture());
    assertThat(outcomes)
        .hasSize(100)
        .allMatch(it -> ((Outcome.Decided) it).verdicts().get(0).conforms());
    for (int node = 0; node < 3; node++) {
      long keys =
          cluster
              .node(node)
              .ask(
                  commands -> {
                    commands
                        .keys("rl:*")
                        .forEach(key -> assertThat(commands.pttl(key)).isPositive());
                    return commands.dbsize();
                  });
      assertThat(keys).isPositive();
    }
  }

  private static void nothingIsLostOrChargedTwiceWhileSlotsMove(
      BucketStore store, RedisCluster cluster) throws Exception {
    int buckets = 200;
    int rounds = 0;
    CompletableFuture<Void> moved = CompletableFuture.runAsync(() -> cluster.move(300));
    while (!moved.isDone() || rounds < 5) {
      List<CompletableFuture<List<Verdict>>> calls = new ArrayList<>();
      for (int i = 0; i < buckets; i++) {
        calls.add(store.decide(List.of(take("moved" + i, 1))).toCompletableFuture());
      }
      calls.forEach(call -> assertThat(join(call).get(0).conforms()).isTrue());
      rounds++;
    }
    moved.get(60, TimeUnit.SECONDS);
    for (int i = 0; i < buckets; i++) {
      BucketCharge look = charge("moved" + i, new Charge.Look(1));
      long left =
          join(store.decide(List.of(look)).toCompletableFuture()).get(0).balance().remaining();
      assertThat(PLENTY.burst() - left).as("bucket %d", i).isEqualTo(rounds);
    }
  }

  private static void aReplicaTakesOver(
      BucketStore store, RedisFixture fixture, RedisCluster cluster) {
    ClusterLink link = (ClusterLink) fixture.link();
    String victim = cluster.node(2).url();
    String bucket =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "fallen" + i)
            .filter(it -> primary(link, it).equals(victim))
            .findFirst()
            .orElseThrow();
    cluster.node(2).kill();
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> replication(cluster.node(5)).contains("role:master"));
    await()
        .atMost(Duration.ofSeconds(15))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> decides(store, fixture, bucket));
    assertThat(primary(link, bucket)).isEqualTo(cluster.node(5).url());
  }

  private static String primary(ClusterLink link, String bucket) {
    return address(link, link.slot("rl:", key(bucket)));
  }

  private static String address(ClusterLink link, int slot) {
    return Objects.requireNonNull(link.primary(slot)).address();
  }

  private static boolean decides(BucketStore store, RedisFixture fixture, String bucket) {
    try {
      return join(store.decide(List.of(take(bucket, 1))).toCompletableFuture()).get(0).conforms();
    } catch (CompletionException e) {
      ((ClusterLink) fixture.link()).look();
      return false;
    }
  }

  private static <T> T join(CompletableFuture<T> future) {
    return future.orTimeout(20, TimeUnit.SECONDS).join();
  }

  private static BucketKey key(String name) {
    return BucketKey.in("cluster").entry("bucket", name).build();
  }

  private static BucketCharge take(String name, long units) {
    return charge(name, new Charge.Take(units));
  }

  private static BucketCharge charge(String name, Charge charge) {
    return new BucketCharge(key(name), PLENTY, charge, BucketCharge.Veto.ALONE);
  }
}
