package dev.sluice.envoy;

import dev.sluice.envoy.CallObserver.Ending;
import dev.sluice.envoy.CallObserver.Method;
import dev.sluice.proto.service.RateLimitServiceGrpc;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.health.v1.HealthGrpc;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells an observer of every call by gRPC that has an end. A tracer sees calls that are cancelled
 * too, which are those that took too long; an interceptor would not. Thread-safe.
 */
final class CallTimes extends ServerStreamTracer.Factory {
  private static final Map<String, Method> METHODS =
      Map.of(
          RateLimitServiceGrpc.getShouldRateLimitMethod().getFullMethodName(),
          Method.SHOULD_RATE_LIMIT,
          HealthGrpc.getCheckMethod().getFullMethodName(),
          Method.CHECK);
  private static final ServerStreamTracer NONE = new ServerStreamTracer() {};

  private final CallObserver observer;

  CallTimes(CallObserver observer) {
    this.observer = observer;
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
    @Nullable Method method = METHODS.get(fullMethodName);
    return method == null ? NONE : new Timed(observer, method);
  }

  /** The time of one call. */
  private static final class Timed extends ServerStreamTracer {
    private final long startNanos = System.nanoTime();
    private final CallObserver observer;
    private final Method method;

    Timed(CallObserver observer, Method method) {
      this.observer = observer;
      this.method = method;
    }

    @Override
    public void streamClosed(Status status) {
      observer.ended(method, ending(status), System.nanoTime() - startNanos);
    }

    private static Ending ending(Status status) {
      if (status.isOk()) {
        return Ending.ANSWERED;
      }
      return status.getCode() == Status.Code.CANCELLED ? Ending.ABANDONED : Ending.FAILED;
    }
  }
}
