package dev.sluice.telemetry;

import dev.sluice.bucket.Terms.Priority;
import dev.sluice.guard.ConcurrencyObserver;
import dev.sluice.guard.TimeLimitObserver;
import io.prometheus.client.Counter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Counts what is done to spare a Redis, and what comes too late from it. Thread-safe. */
public final class GuardTelemetry implements ConcurrencyObserver, TimeLimitObserver {
  private final Map<Priority, Counter.Child> shed = new EnumMap<>(Priority.class);
  private final Counter late;

  public GuardTelemetry(Metrics metrics) {
    Counter refused =
        Counter.build("sluice_redis_shed_total", "Calls that Redis was spared, by priority.")
            .labelNames("priority")
            .register(metrics.registry());
    for (Priority priority : Priority.values()) {
      shed.put(priority, refused.labels(priority.name().toLowerCase(Locale.ROOT)));
    }
    late =
        Counter.build("sluice_redis_late_replies_total", "Replies that nobody waited for any more.")
            .register(metrics.registry());
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
