package dev.sluice.envoy;

import dev.sluice.concurrency.Gate;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/**
 * Lets only so many calls in at one time, and refuses the others with UNAVAILABLE before they are
 * read, so that Envoy's failure mode decides them.
 *
 * <p>A call is in from its headers until its answer is sent or its caller is gone. Thread-safe.
 */
public final class Door implements ServerInterceptor {
  private static final Status FULL =
      Status.UNAVAILABLE.withDescription("as many calls are under way as are answered in time");

  private final Gate gate;
  private final DoorObserver observer;

  public Door(Gate gate, DoorObserver observer) {
    this.gate = gate;
    this.observer = observer;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    int place = gate.enter(1);
    if (place == 0) {
      observer.refused();
      call.close(FULL, new Metadata());
      return new ServerCall.Listener<>() {};
    }
    try {
      return new Inside<>(next.startCall(call, headers), place);
    } catch (RuntimeException | Error e) {
      gate.leave();
      throw e;
    }
  }

  /** A call that was let in. gRPC tells it of exactly one end. */
  private final class Inside<Q> extends SimpleForwardingServerCallListener<Q> {
    private final long startNanos = System.nanoTime();
    private final int place;

    Inside(ServerCall.Listener<Q> listener, int place) {
      super(listener);
      this.place = place;
    }

    @Override
    public void onCancel() {
      leave();
      super.onCancel();
    }

    @Override
    public void onComplete() {
      leave();
      super.onComplete();
    }

    private void leave() {
      long now = System.nanoTime();
      gate.leave(place, now - startNanos, now);
    }
  }
}
