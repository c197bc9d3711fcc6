package dev.sluice.telemetry;

import dev.sluice.envoy.CallObserver;
import dev.sluice.statsd.Stats;
import io.prometheus.client.Collector;
import io.prometheus.client.Counter;
import io.prometheus.client.Histogram;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts calls and measures how long they take. Thread-safe, but for {@link #tell}. */
public final class CallTelemetry extends Collector implements CallObserver, Stats {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLISECOND = 1e6;

  private final Map<Method, Meters> meters = new EnumMap<>(Method.class);
  private final LongAdder serviceErrors;
  private final double nanosPerUnit;

  private record Meters(
      String label, CallCounts calls, Histogram.Child time, Counter.Child abandoned) {}

  /**
   * Telemetry of calls.
   *
   * @param inMilliseconds whether times are told in milliseconds, although the name says seconds
   */
  public CallTelemetry(Metrics metrics, boolean inMilliseconds) {
    nanosPerUnit = inMilliseconds ? NANOS_PER_MILLISECOND : NANOS_PER_SECOND;
    serviceErrors = metrics.callErrors().child("service_error");
    Histogram times =
        Histogram.build("ratelimit_service_response_time_seconds", "Time from a call to its end.")
            .buckets(.001, .002, .005, .01, .02, .025, .05, .1, .25, .5, 1, 2.5, 5, 10)
            .labelNames("grpc_method")
            .register(metrics.registry());
    Counter abandoned =
        Counter.build(
                "sluice_calls_abandoned_total", "Calls whose caller did not wait for the end.")
            .labelNames("grpc_method")
            .register(metrics.registry());
    for (Method method : Method.values()) {
      String label = label(method);
      meters.put(
          method,
          new Meters(label, new CallCounts(), times.labels(label), abandoned.labels(label)));
    }
    metrics.sent(this).register(metrics.registry());
  }

  private static String label(Method method) {
    return switch (method) {
      case SHOULD_RATE_LIMIT -> "ShouldRateLimit";
      case CHECK -> "Check";
      case JSON -> "json";
    };
  }

  @Override
  public void ended(Method method, Ending ending, long nanos) {
    Meters its = Objects.requireNonNull(meters.get(method));
    its.calls.count(nanos);
    its.time.observe(nanos / nanosPerUnit);
    if (ending == Ending.ABANDONED) {
      its.abandoned.inc();
    }
    if (ending == Ending.FAILED && method != Method.CHECK) {
      serviceErrors.increment();
    }
  }

  @Override
  public List<MetricFamilySamples> collect() {
    Series calls =
        Series.bare("ratelimit_service_total_requests", "Calls.", List.of("grpc_method"));
    meters.values().forEach(its -> calls.add(List.of(its.label), (double) its.calls.total()));
    return List.of(calls.family());
  }

  @Override
  public void tell(Hearer hearer) {
    for (Meters its : meters.values()) {
      long[] more = its.calls.more();
      long calls = Arrays.stream(more).sum();
      if (calls > 0) {
        String name = "ratelimit_server." + its.label;
        hearer.count(name + ".total_requests", calls);
        hearer.times(name + ".response_time", more);
      }
    }
  }
}
