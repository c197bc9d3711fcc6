package dev.sluice.telemetry;

import dev.sluice.concurrency.Gate;
import io.prometheus.client.Collector;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.ToDoubleFunction;

/**
 * What the gates of all nodes say when they are asked. The three names that do not begin with
 * {@code sluice} are those that others know such limiters by. Thread-safe.
 */
final class GateSeries extends Collector {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final List<String> LABELS = List.of("node");

  private final Map<String, Gate> gates = new ConcurrentSkipListMap<>();

  void add(String node, Gate gate) {
    gates.put(node, gate);
  }

  void remove(String node) {
    gates.remove(node);
  }

  @Override
  public List<MetricFamilySamples> collect() {
    return List.of(
        gauge("sluice_redis_concurrency_limit", "Most calls that may be under way.", Gate::limit),
        gauge("sluice_redis_calls_under_way", "Calls that Redis has not answered.", Gate::underWay),
        gauge(
            "sluice_redis_base_seconds",
            "How long a call takes that waits for no other.",
            gate -> gate.baseNanos() / NANOS_PER_SECOND),
        gauge("adaptive_limiter_current_limit", "Most calls at one time.", Gate::limit),
        gauge("adaptive_limiter_inflight_requests", "Calls under way.", Gate::underWay),
        gauge(
            "adaptive_limiter_min_rtt_ms",
            "How long a call takes that waits for no other.",
            gate -> gate.baseNanos() / NANOS_PER_MILLI));
  }

  private MetricFamilySamples gauge(String name, String help, ToDoubleFunction<Gate> value) {
    Series series = Series.gauge(name, help, LABELS);
    gates.forEach((node, gate) -> series.add(List.of(node), value.applyAsDouble(gate)));
    return series.family();
  }
}
