package dev.sluice.telemetry;

import dev.sluice.bucket.Terms.Priority;
import dev.sluice.concurrency.Gate;
import dev.sluice.guard.BreakerObserver;
import dev.sluice.guard.ConcurrencyObserver;
import dev.sluice.guard.TimeLimitObserver;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what is done to spare a Redis, and what comes too late from it. Thread-safe. */
public final class GuardTelemetry implements ConcurrencyObserver, TimeLimitObserver {
  private static final Logger LOG = LoggerFactory.getLogger(GuardTelemetry.class);

  private final Map<Priority, Counter.Child> shed = new EnumMap<>(Priority.class);
  private final Counter late;
  private final Gauge breakers;
  private final GateSeries gates = new GateSeries();

  public GuardTelemetry(Metrics metrics) {
    Counter refused =
        Counter.build("sluice_redis_shed_total", "Calls that Redis was spared, by priority.")
            .labelNames("priority")
            .register(metrics.registry());
    for (Priority priority : Priority.values()) {
      shed.put(priority, refused.labels(Metrics.word(priority)));
    }
    late =
        Counter.build("sluice_redis_late_replies_total", "Replies that nobody waited for any more.")
            .register(metrics.registry());
    breakers =
        Gauge.build("sluice_redis_breaker_open", "1 while Redis is left alone or tried, else 0.")
            .labelNames("node")
            .register(metrics.registry());
    metrics.registry().register(gates);
  }

  /** Exports what a gate says. */
  public void watch(String node, Gate gate) {
    gates.add(node, gate);
  }

  /**
   * An observer of the breaker of a node.
   *
   * @param recovered is told when the node is well again
   */
  public BreakerObserver breaker(String node, Runnable recovered) {
    Gauge.Child open = breakers.labels(node);
    open.set(0);
    return new BreakerObserver() {
      @Override
      public void opened() {
        open.set(1);
        LOG.debug("Redis ({}) is left alone, but for a call now and then.", node);
      }

      @Override
      public void closed() {
        open.set(0);
        recovered.run();
        LOG.debug("Redis ({}) is asked for every request again.", node);
      }
    };
  }

  /** Takes a node that is gone out of the metrics. */
  public void forget(String node) {
    breakers.remove(node);
    gates.remove(node);
  }

  @Override
  public void shed(Priority priority) {
    Objects.requireNonNull(shed.get(priority)).inc();
  }

  @Override
  public void cameLate() {
    late.inc();
  }
}
