package dev.sluice;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.guard.Fallback;
import dev.sluice.redis.RedisAddress;
import dev.sluice.redis.RedisBucketStore;
import dev.sluice.redis.RedisLink;
import dev.sluice.redis.RedisScripts;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.Settings;
import dev.sluice.telemetry.GuardTelemetry;
import dev.sluice.telemetry.Metrics;
import dev.sluice.telemetry.StoreTelemetry;
import dev.sluice.telemetry.StoreTelemetry.Decider;
import dev.sluice.transport.EventLoops;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Where the buckets of a server are: Redis with everything that stands before it, or memory.
 *
 * <p>What stands before Redis is put together here, from the inside out. Closing it closes the
 * connections.
 */
final class Stores implements AutoCloseable {
  private final List<Runnable> open = new ArrayList<>();
  private final Settings settings;
  private final EventLoops loops;
  private final StoreTelemetry telemetry;
  private final Guards guards;
  private final BucketStore front;
  private CompletionStage<Void> tried = CompletableFuture.completedFuture(null);

  Stores(Settings settings, EventLoops loops, Metrics metrics) {
    this.settings = settings;
    this.loops = loops;
    telemetry = new StoreTelemetry(metrics);
    guards = new Guards(settings, loops, new GuardTelemetry(metrics));
    InMemoryBucketStore memory =
        new InMemoryBucketStore(
            InstantSource.system(), Ticker.systemTicker(), settings.get(Catalogue.LOCAL_BUCKETS));
    front =
        RedisSettings.address(settings)
            .map(address -> redis(address, memory))
            .orElseGet(() -> telemetry.counted(memory, Decider.MEMORY));
  }

  /** What decides requests. */
  BucketStore front() {
    return front;
  }

  /** Completes, always well, once the first attempt to reach Redis has come to an end. */
  CompletionStage<Void> tried() {
    return tried;
  }

  private BucketStore redis(RedisAddress address, InMemoryBucketStore memory) {
    RedisScripts scripts = RedisScripts.load();
    RedisLink link =
        new RedisLink(address, settings.get(Catalogue.REDIS_QUEUE_SIZE), scripts, loops);
    open.add(link::close);
    tried = link.firstAttempt();
    RedisBucketStore redis =
        new RedisBucketStore(link, scripts, settings.get(Catalogue.CACHE_KEY_PREFIX), telemetry);
    return new Fallback(
        telemetry.counted(guards.before(redis), Decider.REDIS),
        telemetry.counted(memory, Decider.STAND_IN),
        System::nanoTime,
        telemetry);
  }

  @Override
  public void close() {
    open.forEach(Runnable::run);
  }
}
