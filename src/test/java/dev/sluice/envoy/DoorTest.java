package dev.sluice.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.concurrency.Fixed;
import dev.sluice.concurrency.Gate;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DoorTest {
  private final Gate gate = new Gate(new Fixed(2));
  private final AtomicInteger refused = new AtomicInteger();
  private final Door door = new Door(gate, refused::incrementAndGet);
  private final List<Status> closed = new ArrayList<>();
  private final AtomicInteger started = new AtomicInteger();

  /** A call of which only the end matters. */
  private final class Call extends ServerCall<HealthCheckRequest, HealthCheckResponse> {
    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(HealthCheckResponse message) {}

    @Override
    public void close(Status status, Metadata trailers) {
      closed.add(status);
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<HealthCheckRequest, HealthCheckResponse> getMethodDescriptor() {
      return HealthGrpc.getCheckMethod();
    }
  }

  private Listener<HealthCheckRequest> knock() {
    return door.interceptCall(
        new Call(),
        new Metadata(),
        (call, headers) -> {
          started.incrementAndGet();
          return new Listener<>() {};
        });
  }

  @Test
  void whoIsBeyondTheLimitIsTurnedAwayAndIsNotHandled() {
    knock();
    knock();
    knock();
    assertThat(started).hasValue(2);
    assertThat(refused).hasValue(1);
    assertThat(closed)
        .singleElement()
        .satisfies(it -> assertThat(it.getCode()).isEqualTo(Status.Code.UNAVAILABLE));
  }

  @Test
  void whoHasItsAnswerOrIsGoneMakesRoom() {
    Listener<HealthCheckRequest> answered = knock();
    Listener<HealthCheckRequest> gone = knock();
    answered.onComplete();
    gone.onCancel();
    assertThat(gate.underWay()).isZero();
    knock();
    assertThat(closed).isEmpty();
    assertThat(started).hasValue(3);
  }

  @Test
  void aHandlerThatThrowsKeepsNoPlace() {
    assertThatThrownBy(
            () ->
                door.interceptCall(
                    new Call(),
                    new Metadata(),
                    (call, headers) -> {
                      throw new IllegalStateException("broken");
                    }))
        .hasMessage("broken");
    assertThat(gate.underWay()).isZero();
  }
}
