package dev.sluice.telemetry;

import dev.sluice.local.DenyCacheObserver;
import dev.sluice.local.LeaseObserver;
import dev.sluice.telemetry.StoreTelemetry.Decider;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import java.util.function.LongSupplier;

/** Counts what is decided without asking a store, and the units that are held for it. */
public final class LocalTelemetry implements DenyCacheObserver, LeaseObserver {
  private final Counter.Child denied;
  private final Counter.Child leased;
  private final Counter.Child granted;
  private final Counter.Child spent;
  private final Counter.Child calledBack;
  private final Counter.Child lost;
  private final Gauge held;
  private final Histogram overshoot;
  private final LocalCacheSeries cache;

  /**
   * Series of this process.
   *
   * @param stores that count everybody's decisions
   */
  public LocalTelemetry(Metrics metrics, StoreTelemetry stores) {
    denied = stores.decisions(Decider.DENY_CACHE, "denied");
    leased = stores.decisions(Decider.LEASE, "conforms");
    Counter units =
        Counter.build(
                "sluice_lease_units_total", "Units taken in advance, and what became of them.")
            .labelNames("event")
            .register(metrics.registry());
    granted = units.labels("granted");
    spent = units.labels("spent");
    calledBack = units.labels("called_back");
    lost = units.labels("lost");
    held =
        Gauge.build("sluice_lease_units_held", "Units taken in advance that may be spent still.")
            .register(metrics.registry());
    overshoot =
        Histogram.build(
                "sluice_lease_overshoot_bound_ratio",
                "After each grant: units of the bucket held here, as a part of its burst.")
            .buckets(.001, .0025, .005, .01, .025, .05, .1, .25)
            .register(metrics.registry());
    cache = new LocalCacheSeries(metrics);
  }

  /** Counts the denials that a node's cache remembers, until the node is forgotten. */
  public void watch(String node, LongSupplier denials) {
    cache.add(node, denials);
  }

  /** Takes a node that is gone out of the metrics. */
  public void forget(String node) {
    cache.remove(node);
  }

  @Override
  public void denied(int charges) {
    denied.inc(charges);
    cache.hit(charges);
  }

  @Override
  public void asked(int charges) {
    cache.missed(charges);
  }

  @Override
  public void replaced() {
    cache.replaced();
  }

  @Override
  public void expired() {
    cache.expired();
  }

  @Override
  public void evicted() {
    cache.evicted();
  }

  @Override
  public void granted(long units, double share) {
    granted.inc((double) units);
    held.inc((double) units);
    overshoot.observe(share);
  }

  @Override
  public void spent(int charges, long units) {
    leased.inc(charges);
    spent.inc((double) units);
    held.dec((double) units);
  }

  @Override
  public void calledBack(long units) {
    calledBack.inc((double) units);
    held.dec((double) units);
  }

  @Override
  public void lost(long units) {
    lost.inc((double) units);
  }
}
