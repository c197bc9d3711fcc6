package dev.sluice.tracing;

import dev.sluice.bucket.BucketStore;
import dev.sluice.decision.Limiter;
import io.grpc.ServerStreamTracer;
import java.util.List;

/**
 * What calls are led through so that they leave spans.
 *
 * <p>By default nothing is: what is given comes back as it is. Nothing here mentions OpenTelemetry,
 * so none of its classes are loaded where nobody traces.
 */
public interface Traces extends AutoCloseable {
  /** Where nobody traces. */
  Traces OFF = new Traces() {};

  /** What has to see every call by gRPC, from its first to its last moment. */
  default List<ServerStreamTracer.Factory> calls() {
    return List.of();
  }

  /** A limiter whose decisions are traced. */
  default Limiter decisions(Limiter limiter) {
    return limiter;
  }

  /**
   * The store of a node of Redis, with what is asked of it traced.
   *
   * @param node what it is called in metrics and in the log
   */
  default BucketStore store(String node, BucketStore store) {
    return store;
  }

  /** Sends what is left, for five seconds at most. */
  @Override
  default void close() {}
}
