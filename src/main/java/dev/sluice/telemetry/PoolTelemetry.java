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

  public PoolTelemetry(Metrics metrics) {
    active =
        Gauge.build("ratelimit_redis_pool_cx_active", "Connections to Redis now.")
            .register(metrics.registry())
            .labels();
    total = metrics.bareCounter("ratelimit_redis_pool_cx_total", "Connections made.").child();
    closed =
        metrics.bareCounter("ratelimit_redis_pool_cx_local_close", "Connections closed.").child();
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
