package dev.sluice.load;

import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A server of grpc-java, which is strict about HTTP/2. It echoes messages; an empty one is an
 * error, and one that begins with -1 is held until it is released.
 */
final class EchoServer implements AutoCloseable {
  private static final String METHOD = "test.Echo/Echo";

  private final Queue<Metadata> headers = new ConcurrentLinkedQueue<>();
  private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
  private final Server server;

  /** One that listens, and takes so many calls of a connection at a time. */
  EchoServer(int streams) {
    MethodDescriptor<byte[], byte[]> method =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(METHOD)
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try {
      server =
          NettyServerBuilder.forAddress(address, InsecureServerCredentials.create())
              .maxConcurrentCallsPerConnection(streams)
              .addService(
                  ServerServiceDefinition.builder("test.Echo")
                      .addMethod(method, ServerCalls.asyncUnaryCall(this::echo))
                      .build())
              .intercept(this::recorded)
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How it is called. */
  Target target() {
    return new Target(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()),
        "/" + METHOD,
        List.of(new Target.Header("own", "value")));
  }

  /** The headers of all calls so far. */
  Queue<Metadata> headers() {
    return headers;
  }

  /** How many calls wait to be answered. */
  int held() {
    return held.size();
  }

  /** Answers those. */
  void release() {
    held.forEach(Runnable::run);
  }

  private <Q, A> ServerCall.Listener<Q> recorded(
      ServerCall<Q, A> call, Metadata sent, ServerCallHandler<Q, A> next) {
    headers.add(sent);
    return next.startCall(call, sent);
  }

  private void echo(byte[] message, StreamObserver<byte[]> caller) {
    if (message.length == 0) {
      caller.onError(Status.INVALID_ARGUMENT.asException());
    } else if (message[0] == -1) {
      held.add(() -> answer(message, caller));
    } else {
      answer(message, caller);
    }
  }

  private static void answer(byte[] message, StreamObserver<byte[]> caller) {
    caller.onNext(message);
    caller.onCompleted();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  /** Bytes as they are. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
