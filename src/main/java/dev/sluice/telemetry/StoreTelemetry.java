package dev.sluice.telemetry;

import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.guard.FallbackObserver;
import dev.sluice.guard.OutageObserver;
import dev.sluice.guard.SpreadObserver;
import dev.sluice.redis.RedisObserver;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures Redis, and says when it stops and when it begins to decide. */
public final class StoreTelemetry implements RedisObserver, FallbackObserver, SpreadObserver {
  private static final Logger LOG = LoggerFactory.getLogger(StoreTelemetry.class);
  private static final double NANOS_PER_SECOND = 1e9;

  private final Counter decisions;
  private final Histogram.Child calls;
  private final Histogram requests;
  private final Map<BucketStoreException.Reason, Counter.Child> failures =
      new EnumMap<>(BucketStoreException.Reason.class);
  private final LocalDecisions stoodIn;
  private final Counter.Child returned;
  private final Gauge outages;
  private final Set<String> nodes = ConcurrentHashMap.newKeySet();
  private final Gauge servers;
  private final LongAdder redisErrors;

  /** Where buckets are that decide. */
  public enum Decider {
    /** Redis. */
    REDIS,
    /** The memory of this process, since no Redis is set. */
    MEMORY,
    /** The memory of this process, for a Redis that does not decide. */
    STAND_IN,
    /** None: Redis denied the like a moment ago. */
    DENY_CACHE,
    /** None: the units were taken from Redis in advance. */
    LEASE
  }

  public StoreTelemetry(Metrics metrics) {
    redisErrors = metrics.callErrors().child("redis_error");
    decisions =
        Counter.build("sluice_bucket_decisions_total", "Charges decided, by where the bucket is.")
            .labelNames("by", "verdict")
            .register(metrics.registry());
    for (Decider by : Decider.values()) {
      var unused = counted((charges, deadline) -> CompletableFuture.completedFuture(List.of()), by);
    }
    calls = callTimes(metrics);
    requests = batchSizes(metrics);
    Counter failed =
        Counter.build("sluice_redis_failures_total", "Calls that Redis did not decide.")
            .labelNames("reason")
            .register(metrics.registry());
    for (BucketStoreException.Reason reason : BucketStoreException.Reason.values()) {
      failures.put(reason, failed.labels(Metrics.word(reason)));
    }
    stoodIn = new LocalDecisions(metrics);
    outages =
        Gauge.build("sluice_redis_outage", "1 while Redis does not decide, else 0.")
            .labelNames("node")
            .register(metrics.registry());
    returned = returned(metrics);
    servers =
        Gauge.build(
                "sluice_replicas", "How many servers share the limits, as far as this one knows.")
            .register(metrics.registry());
    servers.set(1);
  }

  private static Histogram.Child callTimes(Metrics metrics) {
    return Histogram.build("sluice_redis_call_seconds", "Time from a call to Redis to its answer.")
        .buckets(.0002, .0005, .001, .002, .004, .008, .016, .05, .2, 1, 5)
        .labelNames("script")
        .register(metrics.registry())
        .labels("decide");
  }

  private static Histogram batchSizes(Metrics metrics) {
    return Histogram.build("sluice_redis_batch_size", "Requests that one call to Redis decides.")
        .buckets(1, 2, 4, 8, 16, 32, 64, 128, 256)
        .register(metrics.registry());
  }

  private static Counter.Child returned(Metrics metrics) {
    return Counter.build(
            "sluice_reservations_returned_total",
            "Parts of requests that gave back what they took, since another part denied.")
        .register(metrics.registry())
        .labels();
  }

  /** A store whose decisions are counted, and if it is Redis, what it does not decide too. */
  public BucketStore counted(BucketStore store, Decider by) {
    return new CountedStore(
        store,
        decisions(by, "conforms"),
        decisions(by, "denied"),
        by == Decider.REDIS ? this::failed : reason -> {});
  }

  /** Where decisions of that kind are counted. */
  Counter.Child decisions(Decider by, String verdict) {
    return decisions.labels(Metrics.word(by), verdict);
  }

  /** Shows how many servers share the limits, by whoever knows. */
  public void servers(IntSupplier count) {
    servers.setChild(Metrics.asked(count::getAsInt));
  }

  @Override
  public void answered(int several, long nanos) {
    requests.observe(several);
    calls.observe(nanos / NANOS_PER_SECOND);
  }

  private void failed(BucketStoreException.Reason reason) {
    Objects.requireNonNull(failures.get(reason)).inc();
    redisErrors.increment();
  }

  @Override
  public void stoodIn(BucketStoreException.Reason reason, OnFailure policy, Outcome outcome) {
    stoodIn.count(reason, policy, outcome);
  }

  @Override
  public void returned() {
    returned.inc();
  }

  @Override
  public void began(Throwable cause) {
    LOG.warn(
        "Redis does not decide ({}); the failure policies of the rules do until it does again.",
        cause.getMessage());
  }

  @Override
  public void ended(Duration length, long decisions) {
    LOG.warn(
        "Redis decides again after {} s; {} requests were decided without it.",
        length.toMillis() / 1e3,
        decisions);
  }

  /**
   * Shows the outages of a node, and where there are several, says which one it is.
   *
   * @param name of the node, with which it appears in metrics until it is forgotten
   */
  public OutageObserver node(String name) {
    Gauge.Child outage = outages.labels(name);
    outage.set(0);
    nodes.add(name);
    return new OutageObserver() {
      @Override
      public void began(Throwable cause) {
        outage.set(1);
        if (nodes.size() > 1) {
          LOG.info("Redis node {} does not decide: {}.", name, cause.getMessage());
        }
      }

      @Override
      public void ended(Duration length, long calls) {
        outage.set(0);
        if (nodes.size() > 1) {
          LOG.info("Redis node {} decides again after {} s.", name, length.toMillis() / 1e3);
        }
      }
    };
  }

  /** Takes a node that is gone out of the metrics. */
  public void forget(String name) {
    nodes.remove(name);
    outages.remove(name);
  }
}
