package dev.sluice.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.collector.trace.v1.TraceServiceGrpc;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** A collector that takes traces by OTLP, on a real port of the loopback address. Thread-safe. */
public final class TraceCollector implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final List<Taken> spans = new CopyOnWriteArrayList<>();
  private final Runnable stop;
  private final String endpoint;

  /** A span, and who sent it. */
  public record Taken(Resource resource, Span span) {
    public String name() {
      return span.getName();
    }

    public String trace() {
      return HexFormat.of().formatHex(span.getTraceId().toByteArray());
    }

    public String id() {
      return HexFormat.of().formatHex(span.getSpanId().toByteArray());
    }

    public String parent() {
      return HexFormat.of().formatHex(span.getParentSpanId().toByteArray());
    }

    /** What is said of the span, as text. */
    public Map<String, String> attributes() {
      return texts(span.getAttributesList());
    }

    /** What is said of who sent it, as text. */
    public Map<String, String> sender() {
      return texts(resource.getAttributesList());
    }
  }

  private TraceCollector(HttpServer server) {
    server.createContext("/v1/traces", this::take);
    server.start();
    stop = () -> server.stop(0);
    endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private TraceCollector(NettyServerBuilder builder, String scheme) throws IOException {
    Server server = builder.addService(new Service()).build().start();
    stop = server::shutdownNow;
    endpoint = scheme + "://localhost:" + server.getPort();
  }

  /** One that speaks HTTP. */
  public static TraceCollector http() {
    try {
      return new TraceCollector(HttpServer.create(loopback(0), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One that speaks gRPC. */
  public static TraceCollector grpc() {
    return grpc(0);
  }

  /** One that speaks gRPC on a certain port. */
  public static TraceCollector grpc(int port) {
    try {
      return new TraceCollector(NettyServerBuilder.forAddress(loopback(port)), "http");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One that speaks gRPC over TLS. */
  public static TraceCollector grpc(ServerCredentials credentials) {
    try {
      return new TraceCollector(NettyServerBuilder.forAddress(loopback(0), credentials), "https");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Its URL. */
  public String endpoint() {
    return endpoint;
  }

  /** All spans that it was sent. */
  public List<Taken> spans() {
    return List.copyOf(spans);
  }

  /** Those of a trace, once there are so many. */
  public List<Taken> await(int number, String trace) {
    soon(() -> of(trace).size() >= number);
    return of(trace);
  }

  /** Waits for a span of this name, and gives it back. */
  public Taken await(String name) {
    soon(() -> spans.stream().anyMatch(it -> it.name().equals(name)));
    return spans.stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  private static void soon(Callable<Boolean> condition) {
    Awaitility.await().atMost(LONG).until(condition);
  }

  private List<Taken> of(String trace) {
    return spans.stream().filter(it -> it.trace().equals(trace)).toList();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      take(ExportTraceServiceRequest.parseFrom(exchange.getRequestBody()));
      exchange.getResponseHeaders().add("content-type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private void take(ExportTraceServiceRequest request) {
    request
        .getResourceSpansList()
        .forEach(
            resource ->
                resource
                    .getScopeSpansList()
                    .forEach(
                        scope ->
                            scope
                                .getSpansList()
                                .forEach(it -> spans.add(new Taken(resource.getResource(), it)))));
  }

  private static Map<String, String> texts(List<KeyValue> pairs) {
    Map<String, String> texts = new TreeMap<>();
    pairs.forEach(it -> texts.put(it.getKey(), text(it.getValue())));
    return texts;
  }

  private static String text(AnyValue value) {
    if (value.hasStringValue()) {
      return value.getStringValue();
    }
    return value.hasIntValue()
        ? Long.toString(value.getIntValue())
        : Boolean.toString(value.getBoolValue());
  }

  @Override
  public void close() {
    stop.run();
  }

  private final class Service extends TraceServiceGrpc.TraceServiceImplBase {
    @Override
    public void export(
        ExportTraceServiceRequest request, StreamObserver<ExportTraceServiceResponse> observer) {
      take(request);
      observer.onNext(ExportTraceServiceResponse.getDefaultInstance());
      observer.onCompleted();
    }
  }
}
