package dev.sluice.envoy;

import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/** Calls the rate limit service with any bytes for a request. */
final class RawCalls {
  private static final MethodDescriptor<RateLimitRequestBytes, RateLimitResponse> METHOD =
      RateLimitServiceGrpc.getShouldRateLimitMethod().toBuilder(
              new BytesMarshaller(),
              RateLimitServiceGrpc.getShouldRateLimitMethod().getResponseMarshaller())
          .build();

  private RawCalls() {}

  static RateLimitResponse send(Channel channel, byte[] request) {
    return ClientCalls.blockingUnaryCall(
        channel,
        METHOD,
        CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS),
        new RateLimitRequestBytes(request));
  }

  private static final class RateLimitRequestBytes {
    private final byte[] bytes;

    private RateLimitRequestBytes(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  private static final class BytesMarshaller
      implements MethodDescriptor.Marshaller<RateLimitRequestBytes> {
    @Override
    public InputStream stream(RateLimitRequestBytes value) {
      return new ByteArrayInputStream(value.bytes);
    }

    @Override
    public RateLimitRequestBytes parse(InputStream stream) {
      try {
        return new RateLimitRequestBytes(stream.readAllBytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
