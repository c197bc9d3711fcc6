package dev.sluice.bench;

import dev.sluice.envoy.GrpcServer;
import dev.sluice.envoy.Health;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitServiceGrpc;
import dev.sluice.transport.EventLoops;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * What there is to be had at most: the same gRPC server, with a handler that decides nothing and
 * always gives the same answer.
 */
public final class Ceiling {
  private static final Duration DAY = Duration.ofDays(1);

  private Ceiling() {}

  /**
   * Serves on a port of the loopback address until the process ends.
   *
   * @throws IOException if the port is not free
   */
  public static void serve(int port) throws IOException {
    EventLoops loops = new EventLoops(EventLoops.standard());
    var unused =
        new GrpcServer(
            new GrpcServer.Listener(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), Optional.empty()),
            new GrpcServer.ConnectionAge(DAY, DAY),
            loops,
            new GrpcServer.Served(new Nothing(), new Health(), (method, ending, nanos) -> {}));
  }

  /** Decides nothing. */
  private static final class Nothing extends RateLimitServiceGrpc.RateLimitServiceImplBase {
    private static final RateLimitResponse ANSWER =
        RateLimitResponse.newBuilder()
            .setOverallCode(RateLimitResponse.Code.OK)
            .addStatuses(
                RateLimitResponse.DescriptorStatus.newBuilder()
                    .setCode(RateLimitResponse.Code.OK)
                    .setCurrentLimit(
                        RateLimitResponse.RateLimit.newBuilder()
                            .setRequestsPerUnit(1_000_000_000)
                            .setUnit(RateLimitResponse.RateLimit.Unit.SECOND))
                    .setLimitRemaining(999_999_999))
            .build();

    @Override
    public void shouldRateLimit(
        RateLimitRequest request, StreamObserver<RateLimitResponse> caller) {
      caller.onNext(ANSWER);
      caller.onCompleted();
    }
  }
}
