package dev.sluice;

import dev.sluice.bucket.BucketStore;
import dev.sluice.guard.Fallback;
import dev.sluice.guard.Homes;
import dev.sluice.guard.Spread;
import dev.sluice.guard.StandIn;
import dev.sluice.guard.Watched;
import dev.sluice.local.Batching;
import dev.sluice.redis.ClusterLink;
import dev.sluice.redis.RedisAddress;
import dev.sluice.redis.RedisBucketStore;
import dev.sluice.redis.RedisLink;
import dev.sluice.redis.RedisResources;
import dev.sluice.redis.RedisScripts;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.Settings;
import dev.sluice.telemetry.PoolTelemetry.Pool;
import dev.sluice.telemetry.StoreTelemetry;
import dev.sluice.telemetry.StoreTelemetry.Decider;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The nodes of Redis that buckets are in, each with all that stands before it, as one store.
 *
 * <p>Closing it closes the connections.
 */
final class RedisNodes implements AutoCloseable {
  private final RedisScripts scripts = RedisScripts.load();
  private final List<RedisLink> links = new ArrayList<>();
  private final List<RedisResources> opened = new ArrayList<>();
  private final Function<Pool, RedisResources> resources;
  private final Settings settings;
  private final StoreTelemetry telemetry;
  private final Guards guards;
  private final Sparing sparing;
  private final String keyPrefix;

  /**
   * No nodes yet.
   *
   * @param resources makes what a way to a Redis needs; they are closed with it
   */
  RedisNodes(
      Settings settings,
      Function<Pool, RedisResources> resources,
      StoreTelemetry telemetry,
      Guards guards,
      Sparing sparing) {
    this.settings = settings;
    this.telemetry = telemetry;
    this.guards = guards;
    this.sparing = sparing;
    keyPrefix = settings.get(Catalogue.CACHE_KEY_PREFIX);
    this.resources = resources;
  }

  /**
   * Completes, always well, once the first attempts to reach Redis have come to an end, with
   * whether all were good.
   */
  CompletionStage<Boolean> tried() {
    CompletionStage<Boolean> all = CompletableFuture.completedFuture(true);
    for (RedisLink link : links) {
      all = all.thenCombine(link.firstAttempt(), Boolean::logicalAnd);
    }
    return all;
  }

  /**
   * The one store over all nodes.
   *
   * @param perSecond where the buckets of rules of a second are, if not where the others are
   * @param standIn decides what the nodes do not
   */
  BucketStore store(RedisAddress address, Optional<RedisAddress> perSecond, StandIn standIn) {
    Homes main = homes(address, Pool.MAIN, perSecond.isPresent() ? "main" : "primary");
    if (perSecond.isEmpty() && main instanceof OneHome one) {
      return new Fallback(one.store(), standIn);
    }
    return new Spread(
        perSecond
            .map(it -> homes(it, Pool.PER_SECOND, "per second"))
            .<Homes>map(second -> new PerSecondHomes(second, main))
            .orElse(main),
        standIn,
        telemetry);
  }

  /** The way to the first of them. */
  RedisLink link() {
    return links.get(0);
  }

  /**
   * The homes at an address.
   *
   * @param name of the one node there, if it is one
   */
  private Homes homes(RedisAddress address, Pool pool, String name) {
    RedisResources own = resources.apply(pool);
    opened.add(own);
    RedisLink link =
        RedisLink.open(address, settings.get(Catalogue.REDIS_QUEUE_SIZE), scripts, own);
    links.add(link);
    RedisBucketStore redis = new RedisBucketStore(link, scripts, keyPrefix, telemetry);
    if (link instanceof ClusterLink cluster) {
      link.onAnswer(guards::answers);
      return new ClusterHomes(
          cluster, keyPrefix, primary -> node(redis, primary.address()), this::forget);
    }
    link.onAnswer(server -> guards.answers(name));
    return new OneHome(node(redis, name));
  }

  private void forget(String node) {
    telemetry.forget(node);
    guards.forget(node);
    sparing.forget(node);
  }

  /** All that stands before one node. */
  private BucketStore node(RedisBucketStore redis, String name) {
    BucketStore guarded = telemetry.counted(guards.before(name, batched(redis)), Decider.REDIS);
    return sparing.denialsOf(name, new Watched(guarded, System::nanoTime, telemetry.node(name)));
  }

  private BucketStore batched(RedisBucketStore redis) {
    int most = settings.get(Catalogue.REDIS_BATCH_SIZE);
    if (most == 1) {
      return redis;
    }
    Batching.Bounds bounds =
        new Batching.Bounds(
            settings.get(Catalogue.REDIS_BATCH_CALLS),
            most,
            settings.get(Catalogue.REDIS_QUEUE_SIZE));
    return new Batching(redis, bounds, System::nanoTime);
  }

  @Override
  public void close() {
    links.forEach(RedisLink::close);
    opened.forEach(RedisResources::close);
  }
}
