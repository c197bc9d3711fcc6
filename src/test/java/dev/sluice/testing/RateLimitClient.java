package dev.sluice.testing;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.UInt64Value;
import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A client of a server's gRPC port, with one connection. Thread-safe. */
public final class RateLimitClient implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ManagedChannel channel;

  /** A client of a server on this machine. It connects when it is first used. */
  public RateLimitClient(int port) {
    this("127.0.0.1", port);
  }

  /** A client of a server on some host. It connects when it is first used. */
  public RateLimitClient(String host, int port) {
    channel = ManagedChannelBuilder.forAddress(host, port).usePlaintext().build();
  }

  /** A request of one descriptor. Its entries are keys and values in turn. */
  public static RateLimitRequest request(String domain, String... entries) {
    return RateLimitRequest.newBuilder()
        .setDomain(domain)
        .addDescriptors(descriptor(entries))
        .build();
  }

  /** A request of one descriptor with hits of its own. */
  public static RateLimitRequest report(long hits, String domain, String... entries) {
    RateLimitDescriptor.Builder descriptor =
        descriptor(entries).setHitsAddend(UInt64Value.of(hits));
    return RateLimitRequest.newBuilder().setDomain(domain).addDescriptors(descriptor).build();
  }

  private static RateLimitDescriptor.Builder descriptor(String... entries) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    for (int i = 0; i < entries.length; i += 2) {
      descriptor.addEntriesBuilder().setKey(entries[i]).setValue(entries[i + 1]);
    }
    return descriptor;
  }

  /** Asks, and waits for the answer. */
  public RateLimitResponse ask(RateLimitRequest request) {
    return RateLimitServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .shouldRateLimit(request);
  }

  /** Asks, and does not wait. */
  public ListenableFuture<RateLimitResponse> begin(RateLimitRequest request) {
    return RateLimitServiceGrpc.newFutureStub(channel)
        .withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .shouldRateLimit(request);
  }

  /** How a call ends. */
  public Status.Code codeOf(RateLimitRequest request) {
    try {
      ask(request);
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  /** What health says of a service; nothing where it does not answer. */
  public Optional<ServingStatus> health(String service) {
    HealthCheckRequest request = HealthCheckRequest.newBuilder().setService(service).build();
    try {
      return Optional.of(
          HealthGrpc.newBlockingStub(channel)
              .withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
              .check(request)
              .getStatus());
    } catch (StatusRuntimeException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
