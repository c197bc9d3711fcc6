package dev.sluice;

import dev.sluice.admin.AdminServer;
import dev.sluice.admin.Route;
import dev.sluice.decision.Limiter;
import dev.sluice.envoy.AnswerFormat;
import dev.sluice.envoy.EnvoyRateLimitService;
import dev.sluice.envoy.GrpcServer;
import dev.sluice.envoy.Health;
import dev.sluice.envoy.JsonEndpoint;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.ProcessCatalogue;
import dev.sluice.settings.Setting;
import dev.sluice.settings.Settings;
import dev.sluice.telemetry.CallTelemetry;
import dev.sluice.telemetry.Metrics;
import dev.sluice.transport.EventLoops;
import io.grpc.ServerStreamTracer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ports that a server listens on. The gRPC port is open before /healthcheck can say so. Closing
 * them turns health first and lets calls in flight finish, and /healthcheck says so until they
 * have.
 */
final class Ports implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Ports.class);

  /**
   * What closes each port, in the order in which they were opened, which is that of closing too.
   */
  private final List<Runnable> open = new ArrayList<>();

  private final Settings settings;
  private final Health health;
  private final GrpcServer grpc;
  private final AdminServer http;
  private final AdminServer metrics;
  private final Optional<AdminServer> debug;

  /**
   * What answers on them.
   *
   * @param limiter on the gRPC and the HTTP port
   * @param health on both
   * @param metrics on the metrics port
   * @param debug the pages of the debug port, by path
   * @param tracers see every call on the gRPC port
   */
  record Contents(
      Limiter limiter,
      Health health,
      Metrics metrics,
      Map<String, Route> debug,
      List<ServerStreamTracer.Factory> tracers) {}

  static Ports open(Settings settings, EventLoops loops, Contents contents) {
    return new Ports(settings, loops, contents);
  }

  private Ports(Settings settings, EventLoops loops, Contents contents) {
    this.settings = settings;
    health = contents.health;
    AnswerFormat format = Answers.format(settings);
    Limiter limiter = contents.limiter;
    try {
      CallTelemetry calls =
          new CallTelemetry(
              contents.metrics, settings.get(Catalogue.PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS));
      grpc =
          grpc(
              loops,
              new GrpcServer.Served(
                  new EnvoyRateLimitService(limiter, format),
                  health,
                  calls,
                  Entrance.door(settings, contents.metrics),
                  contents.tracers));
      http =
          admin(
              "http",
              address(Catalogue.HOST, Catalogue.PORT),
              Catalogue.PORT,
              http(new JsonEndpoint(limiter, format, calls)));
      metrics =
          admin(
              "metrics",
              settings.get(Catalogue.PROMETHEUS_ADDR),
              Catalogue.PROMETHEUS_ADDR,
              metrics(contents.metrics));
      debug = debug(contents.debug);
    } catch (RuntimeException e) {
      open.forEach(Runnable::run);
      throw e;
    }
  }

  /** The number of the gRPC port; -1 where it is a file. */
  int grpc() {
    return grpc.port();
  }

  int http() {
    return http.port();
  }

  int metrics() {
    return metrics.port();
  }

  /** Empty where it could not be opened. */
  Optional<Integer> debug() {
    return debug.map(AdminServer::port);
  }

  private GrpcServer grpc(EventLoops loops, GrpcServer.Served served) {
    GrpcPort port = new GrpcPort(settings);
    open.add(port::close);
    GrpcServer.ConnectionAge age =
        new GrpcServer.ConnectionAge(
            settings.get(Catalogue.GRPC_MAX_CONNECTION_AGE),
            settings.get(Catalogue.GRPC_MAX_CONNECTION_AGE_GRACE));
    try {
      GrpcServer server = new GrpcServer(port.listener(), age, loops, served);
      open.add(() -> server.drain(settings.get(ProcessCatalogue.DRAIN_TIMEOUT)));
      return server;
    } catch (IOException e) {
      throw notListening(port.address(), port.setting(), e);
    }
  }

  private AdminServer admin(
      String name, InetSocketAddress address, Setting<?> setting, Map<String, Route> routes) {
    try {
      AdminServer server = new AdminServer(name, address, routes);
      open.add(server::close);
      return server;
    } catch (IOException e) {
      throw notListening(address, setting, e);
    }
  }

  /** Nobody is limited by it, so the server does without where it cannot be had. */
  private Optional<AdminServer> debug(Map<String, Route> pages) {
    InetSocketAddress address = address(Catalogue.DEBUG_HOST, Catalogue.DEBUG_PORT);
    try {
      return Optional.of(admin("debug", address, Catalogue.DEBUG_PORT, pages));
    } catch (UncheckedIOException e) {
      LOG.warn("There is no debug port: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private Map<String, Route> http(JsonEndpoint json) {
    return Map.of(
        "/json", request -> json.ask(request.body()).thenApply(Ports::reply),
        "/healthcheck",
            request ->
                done(health.isServing() ? Route.Reply.text(200, "OK") : Route.Reply.text(500, "")));
  }

  private static Route.Reply reply(dev.sluice.envoy.JsonReply reply) {
    return Route.Reply.of(reply.status(), reply.contentType(), reply.body());
  }

  private Map<String, Route> metrics(Metrics registry) {
    return Map.of(
        settings.get(Catalogue.PROMETHEUS_PATH),
        request -> {
          Metrics.Page page = registry.page(request.accept());
          return done(new Route.Reply(200, page.contentType(), page::writeTo));
        });
  }

  private InetSocketAddress address(Setting<String> host, Setting<Integer> port) {
    return new InetSocketAddress(settings.get(host), settings.get(port));
  }

  private static CompletionStage<Route.Reply> done(Route.Reply reply) {
    return CompletableFuture.completedFuture(reply);
  }

  private static UncheckedIOException notListening(
      SocketAddress address, Setting<?> setting, IOException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    String message =
        String.format(
            "cannot listen on %s: %s (%s sets another)",
            address, cause.getMessage(), setting.name());
    return new UncheckedIOException(message, e);
  }

  @Override
  public void close() {
    health.stopping();
    try {
      Duration delay = settings.get(ProcessCatalogue.DRAIN_DELAY);
      TimeUnit.NANOSECONDS.sleep(delay.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    open.forEach(Runnable::run);
  }
}
