package dev.sluice.envoy;

import dev.sluice.tls.ServerTls;
import dev.sluice.transport.EventLoops;
import io.grpc.BindableService;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The gRPC port: the rate limit service, health and reflection.
 *
 * <p>Calls are handled on the event loop that read them. It does not own the loops.
 */
public final class GrpcServer {
  /**
   * Where and how it listens.
   *
   * @param tls what encrypts, if something does
   */
  public record Listener(SocketAddress address, Optional<ServerTls> tls) {
    private ServerCredentials credentials() {
      return tls.map(ServerTls::credentials).orElseGet(InsecureServerCredentials::create);
    }
  }

  /** How long connections may last, so that new replicas get their share. */
  public record ConnectionAge(Duration most, Duration grace) {}

  /**
   * What is served.
   *
   * @param service the rate limit service
   * @param observer is told of every call
   * @param door bounds the calls of the service; health can always be asked for
   * @param tracers see every call as well, refused ones too
   */
  public record Served(
      BindableService service,
      Health health,
      CallObserver observer,
      Optional<Door> door,
      List<ServerStreamTracer.Factory> tracers) {
    /** Served to everybody who comes. */
    public Served(BindableService service, Health health, CallObserver observer) {
      this(service, health, observer, Optional.empty(), List.of());
    }

    private ServerServiceDefinition guarded() {
      return door.map(it -> ServerInterceptors.intercept(service, it))
          .orElseGet(service::bindService);
    }
  }

  private final OpenStreams streams = new OpenStreams();
  private final Server server;

  /**
   * A server that listens.
   *
   * @throws IOException if the address is not free or not this machine's
   */
  public GrpcServer(Listener listener, ConnectionAge age, EventLoops loops, Served served)
      throws IOException {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(listener.address(), listener.credentials())
            .bossEventLoopGroup(loops.group())
            .workerEventLoopGroup(loops.group())
            .channelType(loops.serverChannel(listener.address()))
            .directExecutor()
            .maxConnectionAge(age.most().toNanos(), TimeUnit.NANOSECONDS)
            .maxConnectionAgeGrace(age.grace().toNanos(), TimeUnit.NANOSECONDS)
            .permitKeepAliveTime(10, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addStreamTracerFactory(new CallTimes(served.observer))
            .intercept(streams)
            .addService(served.guarded())
            .addService(served.health.service())
            .addServices(Reflection.services());
    served.tracers.forEach(builder::addStreamTracerFactory);
    server = builder.build().start();
  }

  /** The port that it listens on; -1 where that is a file. */
  public int port() {
    return server.getPort();
  }

  /** Takes no new calls, ends those without an end, and waits for the rest until the time is up. */
  public void drain(Duration timeout) {
    server.shutdown();
    streams.end();
    try {
      if (!server.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
