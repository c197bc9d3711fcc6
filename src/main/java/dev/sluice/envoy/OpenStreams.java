package dev.sluice.envoy;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls that have no end of their own, such as watches of health. A server that stops ends them,
 * since it would wait for them else. Thread-safe.
 */
final class OpenStreams implements ServerInterceptor {
  private static final Status STOPPING = Status.UNAVAILABLE.withDescription("the server stops");

  private final Set<ServerCall<?, ?>> calls = ConcurrentHashMap.newKeySet();

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (call.getMethodDescriptor().getType() == MethodType.UNARY) {
      return next.startCall(call, headers);
    }
    Stream<Q, A> stream = new Stream<>(call);
    calls.add(stream);
    return new SimpleForwardingServerCallListener<>(next.startCall(stream, headers)) {
      @Override
      public void onCancel() {
        calls.remove(stream);
        super.onCancel();
      }

      @Override
      public void onComplete() {
        calls.remove(stream);
        super.onComplete();
      }
    };
  }

  /** Ends them all. */
  void end() {
    calls.forEach(call -> call.close(STOPPING, new Metadata()));
  }

  /** A call that may be ended from outside: whatever its handler says after that goes nowhere. */
  private static final class Stream<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private boolean closed;

    Stream(ServerCall<Q, A> call) {
      super(call);
    }

    @Override
    public synchronized void sendMessage(A message) {
      if (!closed) {
        super.sendMessage(message);
      }
    }

    @Override
    public synchronized void close(Status status, Metadata trailers) {
      if (!closed) {
        closed = true;
        super.close(status, trailers);
      }
    }
  }
}
