package dev.sluice.tracing;

import dev.sluice.bucket.BucketStore;
import dev.sluice.decision.Limiter;
import io.grpc.ServerStreamTracer;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Traces that are sent to a collector by OTLP. Where that is, and how it is spoken to, is read by
 * OpenTelemetry's SDK from its own variables, OTEL_*.
 *
 * <p>Spans wait in a bounded queue for a thread that sends them; what does not fit is dropped.
 * Thread-safe; only closing it waits.
 */
public final class Tracing implements Traces {
  private static final long CLOSING_SECONDS = 5;

  /**
   * What the traces say of who sends them.
   *
   * @param namespace of the name; empty: none
   * @param instance which process of that name it is
   */
  public record Identity(String service, String namespace, String instance) {
    private Resource resource() {
      AttributesBuilder attributes =
          Attributes.builder().put("service.name", service).put("service.instance.id", instance);
      if (!namespace.isEmpty()) {
        attributes.put("service.namespace", namespace);
      }
      return Resource.create(attributes.build());
    }
  }

  private final Outcome outcome = new Outcome();
  private final OpenTelemetrySdk sdk;
  private final Tracer tracer;

  /**
   * Begins to send.
   *
   * @param grpc whether by gRPC; else by HTTP with protobuf
   * @param ratio of the traces that are kept, of those that begin here; from 0 to 1
   * @throws RuntimeException if one of the SDK's variables has no meaning
   */
  public Tracing(Identity identity, boolean grpc, float ratio) {
    Map<String, String> fixed =
        Map.of(
            "otel.traces.exporter", "otlp",
            "otel.metrics.exporter", "none",
            "otel.logs.exporter", "none",
            "otel.exporter.otlp.traces.protocol", grpc ? "grpc" : "http/protobuf",
            "otel.propagators", "tracecontext,b3,baggage",
            "otel.traces.sampler", "parentbased_traceidratio",
            "otel.traces.sampler.arg", Float.toString(ratio));
    sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .addPropertiesCustomizer(given -> fixed)
            .addResourceCustomizer((given, config) -> given.merge(identity.resource()))
            .addSpanExporterCustomizer((exporter, config) -> outcome.of(exporter, config))
            .addTracerProviderCustomizer((provider, config) -> provider.addSpanProcessor(outcome))
            .build()
            .getOpenTelemetrySdk();
    tracer = sdk.getTracer("dev.sluice");
  }

  @Override
  public List<ServerStreamTracer.Factory> calls() {
    return List.of(new ServerSpans(tracer, sdk.getPropagators().getTextMapPropagator()));
  }

  @Override
  public Limiter decisions(Limiter limiter) {
    return new TracedLimiter(limiter, tracer);
  }

  @Override
  public BucketStore store(String node, BucketStore store) {
    return new TracedStore(store, node, tracer);
  }

  @Override
  public void close() {
    var unused = sdk.getSdkTracerProvider().shutdown().join(CLOSING_SECONDS, TimeUnit.SECONDS);
    outcome.sayWhatWasLost();
  }
}
