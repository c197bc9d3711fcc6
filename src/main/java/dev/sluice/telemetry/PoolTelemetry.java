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
    MAIN("ratelimit_redis_pool"),
    /** The one for rules whose unit is a second. */
    PER_SECOND("ratelimit_redis_per_second_pool");

    private final String prefix;

    Pool(String prefix) {
      this.prefix = prefix;
    }
  }

  /** The counts of one pool, all 0. */
  public PoolTelemetry(Metrics metrics, Pool pool) {
    active =
        Gauge.build(pool.prefix + "_cx_active", "Connections to Redis now.")
            .register(metrics.registry())
            .labels();
    total = metrics.bareCounter(pool.prefix + "_cx_total", "Connections made.").child();
    closed = metrics.bareCounter(pool.prefix + "_cx_local_close", "Connections closed.").child();
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
