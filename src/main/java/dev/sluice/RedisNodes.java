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
import dev.sluice.telemetry.StoreTelemetry;
import dev.sluice.telemetry.StoreTelemetry.Decider;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The nodes of Redis that buckets are in, each with all that stands before it, as one store.
 *
 * <p>Closing it closes the connections.
 */
final class RedisNodes implements AutoCloseable {
  private final RedisScripts scripts = RedisScripts.load();
  private final List<RedisLink> links = new ArrayList<>();
  private final RedisResources resources;
  private final Settings settings;
  private final StoreTelemetry telemetry;
  private final Guards guards;
  private final Sparing sparing;
  private final String keyPrefix;

  /**
   * No nodes yet.
   *
   * @param resources are closed with it
   */
  RedisNodes(
      Settings settings,
      RedisResources resources,
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
    Homes main = homes(address, perSecond.isPresent() ? "main" : "primary");
    if (perSecond.isEmpty() && main instanceof OneHome one) {
      return new Fallback(one.store(), standIn);
    }
    return new Spread(
        perSecond.<Homes>map(it -> new PerSecondHomes(homes(it, "per second"), main)).orElse(main),
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
  private Homes homes(RedisAddress address, String name) {
    RedisLink link =
        RedisLink.open(address, settings.get(Catalogue.REDIS_QUEUE_SIZE), scripts, resources);
    links.add(link);
    RedisBucketStore redis = new RedisBucketStore(link, scripts, keyPrefix, telemetry);
    return link instanceof ClusterLink cluster
        ? new ClusterHomes(
            cluster,
            keyPrefix,
            primary -> node(redis, primary.address()),
            primary -> telemetry.forget(primary.address()))
        : new OneHome(node(redis, name));
  }

  /** All that stands before one node. */
  private BucketStore node(RedisBucketStore redis, String name) {
    BucketStore guarded = telemetry.counted(guards.before(name, batched(redis)), Decider.REDIS);
    return sparing.denialsOf(new Watched(guarded, System::nanoTime, telemetry.node(name)));
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
    resources.close();
  }
}
