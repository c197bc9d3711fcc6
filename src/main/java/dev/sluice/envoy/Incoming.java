package dev.sluice.envoy;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitServiceGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;

/** What came in for a request. */
sealed interface Incoming {
  /** A request. */
  record Request(RateLimitRequest message) implements Incoming {}

  /** Bytes that are none. */
  record Garbage(String reason) implements Incoming {}

  /**
   * Reads what comes in. It never fails: gRPC answers UNKNOWN to bytes that its own marshaller
   * cannot read, logs each, and asks nobody else.
   */
  final class Marshaller implements MethodDescriptor.Marshaller<Incoming> {
    private static final MethodDescriptor.Marshaller<RateLimitRequest> REQUESTS =
        RateLimitServiceGrpc.getShouldRateLimitMethod().getRequestMarshaller();

    @Override
    public Incoming parse(InputStream stream) {
      try {
        return new Request(REQUESTS.parse(stream));
      } catch (StatusRuntimeException e) {
        if (e.getCause() instanceof InvalidProtocolBufferException cause) {
          return new Garbage(String.valueOf(cause.getMessage()));
        }
        throw e;
      }
    }

    @Override
    public InputStream stream(Incoming value) {
      if (value instanceof Request request) {
        return REQUESTS.stream(request.message());
      }
      throw new IllegalArgumentException(value + " cannot be sent (expected a request)");
    }
  }
}
