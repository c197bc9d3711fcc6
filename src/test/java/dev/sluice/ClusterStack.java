package dev.sluice;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.Deadline;
import dev.sluice.guard.Spread;
import dev.sluice.limit.Verdict;
import dev.sluice.local.Batching;
import dev.sluice.redis.ClusterLink;
import dev.sluice.redis.RedisAddress;
import dev.sluice.redis.RedisBucketStore;
import dev.sluice.redis.RedisLink;
import dev.sluice.redis.RedisResources;
import dev.sluice.redis.RedisScripts;
import dev.sluice.redis.Secret;
import dev.sluice.redis.Topology;
import dev.sluice.settings.Settings;
import dev.sluice.telemetry.GuardTelemetry;
import dev.sluice.telemetry.Metrics;
import dev.sluice.telemetry.PoolTelemetry;
import dev.sluice.telemetry.StoreTelemetry;
import dev.sluice.testing.RedisCluster;
import dev.sluice.testing.TestRedisScripts;
import dev.sluice.tracing.Traces;
import dev.sluice.transport.EventLoops;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The store that a server has in front of a cluster, with a clock that a test sets. Nothing is
 * denied from memory, since that goes by another clock.
 */
final class ClusterStack implements BucketStore, AutoCloseable {
  private static final String PREFIX = "rl:";
  private static final Settings SETTINGS = Settings.of(Map.of("REDIS_COMMAND_TIMEOUT", "10s"));

  private final EventLoops loops = new EventLoops(1);
  private final Metrics metrics = new Metrics();
  private final RedisResources resources =
      new RedisResources(loops, new PoolTelemetry(metrics, PoolTelemetry.Pool.MAIN));
  private final RedisClusterClient client;
  private final RedisAdvancedClusterCommands<String, String> clocks;
  private final Map<String, Long> shown = new ConcurrentHashMap<>();
  private final ClusterLink link;
  private final BucketStore store;
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile long micros;

  ClusterStack(RedisCluster cluster) throws Exception {
    List<URI> urls =
        Stream.of(cluster.url().split(",", -1)).map(it -> URI.create("redis://" + it)).toList();
    client = RedisClusterClient.create(RedisURI.create(urls.get(0)));
    clocks = client.connect().sync();
    RedisScripts scripts = TestRedisScripts.withTestClocks();
    RedisAddress address =
        new RedisAddress(
            new Topology.Cluster(urls),
            Secret.NONE,
            RedisAddress.Tls.STANDARD,
            Duration.ofSeconds(5));
    link = (ClusterLink) RedisLink.open(address, 4_096, scripts, resources);
    link.firstAttempt().toCompletableFuture().get(20, TimeUnit.SECONDS);
    StoreTelemetry telemetry = new StoreTelemetry(metrics);
    Guards guards = new Guards(SETTINGS, loops, new GuardTelemetry(metrics), Traces.OFF);
    RedisBucketStore redis = new RedisBucketStore(link, scripts, PREFIX, telemetry);
    Batching.Bounds bounds = new Batching.Bounds(2, 64, 4_096);
    ClusterHomes homes =
        new ClusterHomes(
            link,
            PREFIX,
            node ->
                counted(
                    guards.before(node.address(), new Batching(redis, bounds, System::nanoTime))),
            node -> {});
    store = new Spread(homes, WithoutRedis.standIn(SETTINGS, telemetry, () -> 1), telemetry);
  }

  void setClock(long now) {
    micros = now;
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    charges.forEach(charge -> show(PREFIX + charge.key().text(), micros));
    return store.decide(charges, deadline);
  }

  private void show(String bucket, long now) {
    if (!Long.valueOf(now).equals(shown.get(bucket))) {
      shown.compute(
          bucket,
          (name, before) -> {
            if (before != null) {
              awaitQuiet();
            }
            clocks.mset(TestRedisScripts.clock(name, now));
            return now;
          });
    }
  }

  private BucketStore counted(BucketStore node) {
    return (charges, deadline) -> {
      underWay.incrementAndGet();
      return node.decide(charges, deadline)
          .whenComplete((verdicts, error) -> underWay.decrementAndGet());
    };
  }

  /**
   * Waits for what nobody waits for: what is given back goes by the time at which it was taken, and
   * clocks are set by a connection of their own.
   */
  private void awaitQuiet() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (underWay.get() > 0) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("a call that does not end");
      }
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    link.close();
    resources.close();
    loops.close();
    client.shutdown();
  }
}
