package dev.sluice;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.guard.StandIn;
import dev.sluice.redis.Heartbeat;
import dev.sluice.redis.RedisAddress;
import dev.sluice.redis.RedisLink;
import dev.sluice.redis.RedisResources;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.Settings;
import dev.sluice.telemetry.GuardTelemetry;
import dev.sluice.telemetry.LocalTelemetry;
import dev.sluice.telemetry.Metrics;
import dev.sluice.telemetry.PoolTelemetry;
import dev.sluice.telemetry.PoolTelemetry.Pool;
import dev.sluice.telemetry.StoreTelemetry;
import dev.sluice.telemetry.StoreTelemetry.Decider;
import dev.sluice.tracing.Traces;
import dev.sluice.transport.EventLoops;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;

/**
 * Where the buckets of a server are: Redis with everything that stands before it, or memory.
 *
 * <p>What stands before Redis is put together here, from the inside out. Closing it gives back what
 * is held and closes the connections.
 */
final class Stores implements AutoCloseable {
  private final List<Runnable> open = new ArrayList<>();
  private final Settings settings;
  private final EventLoops loops;
  private final Metrics metrics;
  private final StoreTelemetry telemetry;
  private final PoolTelemetry connections;
  private final Guards guards;
  private final Sparing sparing;
  private final BucketStore front;
  private IntSupplier counted = () -> 1;
  private CompletionStage<Boolean> tried = CompletableFuture.completedFuture(false);

  /**
   * Stores as the settings say.
   *
   * @param listener hears whether Redis answers, where there is one
   * @param traces see what is asked of it
   */
  Stores(
      Settings settings,
      EventLoops loops,
      Metrics metrics,
      Heartbeat.Listener listener,
      Traces traces) {
    this.settings = settings;
    this.loops = loops;
    telemetry = new StoreTelemetry(metrics);
    this.metrics = metrics;
    connections = new PoolTelemetry(metrics, Pool.MAIN);
    guards = new Guards(settings, loops, new GuardTelemetry(metrics), traces);
    sparing = new Sparing(settings, loops, new LocalTelemetry(metrics, telemetry));
    front =
        RedisSettings.address(settings)
            .map(address -> redis(address, listener))
            .orElseGet(this::memory);
    telemetry.servers(this::servers);
  }

  /** How many servers share the limits, this one included. */
  int servers() {
    return Math.max(settings.get(Catalogue.REPLICAS), counted.getAsInt());
  }

  /** What decides requests. */
  BucketStore front() {
    return front;
  }

  /**
   * Completes, always well, once the first attempt to reach Redis has come to an end, with whether
   * it was reached.
   */
  CompletionStage<Boolean> tried() {
    return tried;
  }

  private BucketStore memory() {
    return telemetry.counted(
        new InMemoryBucketStore(
            InstantSource.system(), Ticker.systemTicker(), settings.get(Catalogue.LOCAL_BUCKETS)),
        Decider.MEMORY);
  }

  private BucketStore redis(RedisAddress address, Heartbeat.Listener listener) {
    StandIn standIn = WithoutRedis.standIn(settings, telemetry, this::servers);
    RedisNodes nodes = new RedisNodes(settings, this::resources, telemetry, guards, sparing);
    open.add(nodes::close);
    BucketStore store = nodes.store(address, RedisSettings.perSecond(settings), standIn);
    tried = nodes.tried();
    beat(nodes.link(), listener);
    return sparing.inAdvanceOf(store, this::servers);
  }

  private RedisResources resources(Pool pool) {
    return new RedisResources(
        loops, pool == Pool.MAIN ? connections : new PoolTelemetry(metrics, pool));
  }

  /** Counts the servers, and is closed before the link that it beats on. */
  private void beat(RedisLink link, Heartbeat.Listener listener) {
    String key = settings.get(Catalogue.CACHE_KEY_PREFIX) + "pods";
    Heartbeat heartbeat = new Heartbeat(link, loops, key, UUID.randomUUID().toString(), listener);
    open.add(0, heartbeat::close);
    counted = heartbeat::servers;
    var unused = link.firstAttempt().thenRun(heartbeat::start);
  }

  @Override
  public void close() {
    sparing.close();
    open.forEach(Runnable::run);
  }
}
