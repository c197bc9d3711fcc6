package dev.sluice.tracing;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.EnumSet;
import java.util.Set;

/**
 * A span for each call by gRPC, as the semantic conventions for RPC have it; its parent is named in
 * the call's metadata. A tracer sees calls that are cancelled or refused too, which an interceptor
 * would not. Thread-safe.
 */
final class ServerSpans extends ServerStreamTracer.Factory {
  private static final io.grpc.Context.Key<Context> CURRENT = io.grpc.Context.key("sluice-span");

  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("rpc.system");
  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("rpc.service");
  private static final AttributeKey<String> METHOD = AttributeKey.stringKey("rpc.method");
  private static final AttributeKey<Long> CODE = AttributeKey.longKey("rpc.grpc.status_code");

  /** What is the server's fault, and not the caller's. */
  private static final Set<Status.Code> FAILURES =
      EnumSet.of(
          Status.Code.UNKNOWN,
          Status.Code.DEADLINE_EXCEEDED,
          Status.Code.UNIMPLEMENTED,
          Status.Code.INTERNAL,
          Status.Code.UNAVAILABLE,
          Status.Code.DATA_LOSS);

  private final Tracer tracer;
  private final TextMapPropagator propagator;

  ServerSpans(Tracer tracer, TextMapPropagator propagator) {
    this.tracer = tracer;
    this.propagator = propagator;
  }

  /** What the call that is handled by this thread belongs to; the root where it is none of ours. */
  static Context current() {
    Context current = CURRENT.get();
    return current == null ? Context.root() : current;
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
    Context parent = propagator.extract(Context.root(), headers, MetadataGetter.INSTANCE);
    int slash = fullMethodName.lastIndexOf('/');
    Span span =
        tracer
            .spanBuilder(fullMethodName)
            .setParent(parent)
            .setSpanKind(SpanKind.SERVER)
            .setAttribute(SYSTEM, "grpc")
            .setAttribute(SERVICE, fullMethodName.substring(0, Math.max(slash, 0)))
            .setAttribute(METHOD, fullMethodName.substring(slash + 1))
            .startSpan();
    return new Call(span, parent.with(span));
  }

  /** The span of one call. */
  private static final class Call extends ServerStreamTracer {
    private final Span span;
    private final Context context;

    Call(Span span, Context context) {
      this.span = span;
      this.context = context;
    }

    @Override
    public io.grpc.Context filterContext(io.grpc.Context given) {
      return given.withValue(CURRENT, context);
    }

    @Override
    public void streamClosed(Status status) {
      span.setAttribute(CODE, (long) status.getCode().value());
      if (FAILURES.contains(status.getCode())) {
        String why = status.getDescription();
        span.setStatus(StatusCode.ERROR, why == null ? status.getCode().name() : why);
      }
      span.end();
    }
  }
}
