package dev.sluice.telemetry;

import dev.sluice.redis.ConnectionObserver;
import io.prometheus.client.Gauge;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts connections to Redis under the names of the reference server's pool, which has many where
 * there is one here.
 */
public final class PoolTelemetry implements ConnectionObserver {
  private final Gauge.Child active;
  private final LongAdder total;
  private final LongAdder closed;

  /** Which Redis connections lead to. */
  public enum Pool {
    /** The one for all rules, or for all that the other is not for. */
    MAIN("redis_pool"),
    /** The one for rules whose unit is a second. */
    PER_SECOND("redis_per_second_pool");

    private final String word;

    Pool(String word) {
      this.word = word;
    }
  }

  /** The counts of one pool, all 0. */
  public PoolTelemetry(Metrics metrics, Pool pool) {
    String name = "ratelimit_" + pool.word;
    String statName = "ratelimit." + pool.word;
    active =
        Gauge.build(name + "_cx_active", "Connections to Redis now.")
            .register(metrics.registry())
            .labels();
    total = counter(metrics, pool, "cx_total", "Connections made.");
    closed = counter(metrics, pool, "cx_local_close", "Connections closed.");
    metrics.sent(hearer -> hearer.gauge(statName + ".cx_active", (long) active.get()));
  }

  private static LongAdder counter(Metrics metrics, Pool pool, String counter, String help) {
    String name = "ratelimit_" + pool.word + "_" + counter;
    return metrics.bareCounter(name, "ratelimit." + pool.word + "." + counter, help).child();
  }

  @Override
  public void opened() {
    active.inc();
    total.increment();
  }

  @Override
  public void closed() {
    active.dec();
    closed.increment();
  }
}
