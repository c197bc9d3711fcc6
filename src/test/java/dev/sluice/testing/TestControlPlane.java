package dev.sluice.testing;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.sluice.proto.discovery.AggregatedDiscoveryServiceGrpc;
import dev.sluice.proto.discovery.DiscoveryRequest;
import dev.sluice.proto.discovery.DiscoveryResponse;
import dev.sluice.proto.rules.RateLimitConfig;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A control plane with one set of rules, which behaves as go-control-plane's cache of snapshots
 * does: it answers a request whose version is not that of its set at once, and keeps others until
 * it has another set. So a refusal is answered with what was refused. It can be stopped, and
 * started again on the same port.
 */
public final class TestControlPlane implements AutoCloseable {
  public static final String TYPE =
      "type.googleapis.com/ratelimit.config.ratelimit.v3.RateLimitConfig";
  private static final Duration LONG = Duration.ofSeconds(20);

  private final int port;
  private final ServerCredentials credentials;
  private final List<DiscoveryRequest> requests = new CopyOnWriteArrayList<>();
  private final List<Metadata> headers = new CopyOnWriteArrayList<>();
  private final List<Stream> streams = new ArrayList<>();
  private @Nullable Server server;
  private @Nullable DiscoveryResponse snapshot;
  private int versions;
  private int nonces;

  /** Starts one without a set of rules, so that it is silent. */
  public static TestControlPlane start() {
    return start(InsecureServerCredentials.create());
  }

  /** Starts one that is spoken to in this way. */
  public static TestControlPlane start(ServerCredentials credentials) {
    TestControlPlane started = absent(credentials);
    started.restart();
    return started;
  }

  /** One that has a port and does not listen on it yet. */
  public static TestControlPlane absent() {
    return absent(InsecureServerCredentials.create());
  }

  private static TestControlPlane absent(ServerCredentials credentials) {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new TestControlPlane(free.getLocalPort(), credentials);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private TestControlPlane(int port, ServerCredentials credentials) {
    this.port = port;
    this.credentials = credentials;
  }

  /** Where it is, as host:port. */
  public String address() {
    return "localhost:" + port;
  }

  /** Listens, with what it had before, and counts versions from 1 on. */
  public synchronized void restart() {
    versions = 0;
    if (snapshot != null) {
      publishAll(snapshot.getResourcesList());
    }
    try {
      server =
          NettyServerBuilder.forAddress(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), port), credentials)
              .intercept(new Headers())
              .addService(new Service())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Cuts every connection, and listens no more. */
  public synchronized void stop() {
    if (server != null) {
      var unused = server.shutdownNow();
      server = null;
    }
    streams.clear();
  }

  /** Ends every stream in good order, and goes on listening. */
  public synchronized void endStreams() {
    streams.forEach(stream -> stream.responses.onError(Status.UNAVAILABLE.asRuntimeException()));
    streams.clear();
  }

  /** Has this set of rules from now on. */
  public void publish(RateLimitConfig... configs) {
    publishAll(Arrays.stream(configs).map(TestControlPlane::any).toList());
  }

  /** Has these resources from now on. */
  public synchronized void publishAll(List<Any> resources) {
    versions++;
    snapshot =
        DiscoveryResponse.newBuilder()
            .setVersionInfo(Integer.toString(versions))
            .setTypeUrl(TYPE)
            .addAllResources(resources)
            .build();
    streams.forEach(Stream::respond);
  }

  /** A message as a resource of rules. */
  public static Any any(MessageLite message) {
    return any(message.toByteString());
  }

  /** Bytes as a resource of rules. */
  public static Any any(ByteString bytes) {
    return Any.newBuilder().setTypeUrl(TYPE).setValue(bytes).build();
  }

  /** Every request so far. */
  public List<DiscoveryRequest> requests() {
    return List.copyOf(requests);
  }

  /** Those that refuse a set. */
  public List<DiscoveryRequest> refusals() {
    return requests.stream().filter(DiscoveryRequest::hasErrorDetail).toList();
  }

  /** The headers of every stream so far. */
  public List<Metadata> headers() {
    return List.copyOf(headers);
  }

  /** The request of this number, from 0; waits for it. */
  public DiscoveryRequest request(int number) {
    await().atMost(LONG).until(() -> requests.size() > number);
    return requests.get(number);
  }

  /** The refusal of this number, from 0; waits for it. */
  public DiscoveryRequest refusal(int number) {
    await().atMost(LONG).until(() -> refusals().size() > number);
    return refusals().get(number);
  }

  @Override
  public void close() {
    stop();
  }

  /** One stream, and the request that nobody has answered yet. */
  private final class Stream implements StreamObserver<DiscoveryRequest> {
    private final StreamObserver<DiscoveryResponse> responses;
    private @Nullable DiscoveryRequest open;
    private String nonce = "";

    private Stream(StreamObserver<DiscoveryResponse> responses) {
      this.responses = responses;
    }

    @Override
    public void onNext(DiscoveryRequest request) {
      requests.add(request);
      synchronized (TestControlPlane.this) {
        if (request.getResponseNonce().equals(nonce)) {
          open = request;
          respond();
        }
      }
    }

    private void respond() {
      if (open == null
          || snapshot == null
          || open.getVersionInfo().equals(snapshot.getVersionInfo())) {
        return;
      }
      open = null;
      nonce = "nonce-" + ++nonces;
      responses.onNext(snapshot.toBuilder().setNonce(nonce).build());
    }

    @Override
    public void onError(Throwable error) {
      synchronized (TestControlPlane.this) {
        streams.remove(this);
      }
    }

    @Override
    public void onCompleted() {
      responses.onCompleted();
    }
  }

  private final class Service
      extends AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceImplBase {
    @Override
    public StreamObserver<DiscoveryRequest> streamAggregatedResources(
        StreamObserver<DiscoveryResponse> responses) {
      Stream stream = new Stream(responses);
      synchronized (TestControlPlane.this) {
        streams.add(stream);
      }
      return stream;
    }
  }

  private final class Headers implements ServerInterceptor {
    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
        ServerCall<A, B> call, Metadata sent, ServerCallHandler<A, B> next) {
      headers.add(sent);
      return next.startCall(call, sent);
    }
  }
}
