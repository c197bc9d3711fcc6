package dev.sluice.envoy;

import dev.sluice.bucket.Deadline;
import dev.sluice.decision.Answer;
import dev.sluice.decision.Limiter;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitServiceGrpc;
import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Envoy's rate limit service. Thread-safe; never blocks. */
public final class EnvoyRateLimitService implements BindableService {
  /** The full name of the method that Envoy calls. */
  public static final String METHOD =
      RateLimitServiceGrpc.getShouldRateLimitMethod().getFullMethodName();

  private static final Logger LOG = LoggerFactory.getLogger(EnvoyRateLimitService.class);
  private static final MethodDescriptor<Incoming, RateLimitResponse> SHOULD_RATE_LIMIT =
      RateLimitServiceGrpc.getShouldRateLimitMethod().toBuilder(
              new Incoming.Marshaller(),
              RateLimitServiceGrpc.getShouldRateLimitMethod().getResponseMarshaller())
          .build();
  private static final ServiceDescriptor SERVICE =
      ServiceDescriptor.newBuilder(RateLimitServiceGrpc.SERVICE_NAME)
          .setSchemaDescriptor(RateLimitServiceGrpc.getServiceDescriptor().getSchemaDescriptor())
          .addMethod(SHOULD_RATE_LIMIT)
          .build();

  private final Limiter limiter;
  private final ResponseWriter writer;

  public EnvoyRateLimitService(Limiter limiter, AnswerFormat format) {
    this.limiter = limiter;
    writer = new ResponseWriter(format);
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(SHOULD_RATE_LIMIT, ServerCalls.asyncUnaryCall(this::shouldRateLimit))
        .build();
  }

  private void shouldRateLimit(Incoming incoming, StreamObserver<RateLimitResponse> caller) {
    RateLimitRequest request;
    CompletionStage<Answer> answer;
    try {
      request = RequestReader.message(incoming);
      answer = limiter.decide(RequestReader.read(request, deadline()));
    } catch (MalformedRequestException e) {
      caller.onError(Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asException());
      return;
    } catch (RuntimeException e) {
      caller.onError(ours(e));
      return;
    }
    var unused = answer.whenComplete((decided, error) -> reply(caller, request, decided, error));
  }

  private void reply(
      StreamObserver<RateLimitResponse> caller,
      RateLimitRequest request,
      @Nullable Answer answer,
      @Nullable Throwable error) {
    if (caller instanceof ServerCallStreamObserver<?> call && call.isCancelled()) {
      return;
    }
    if (answer instanceof Answer.Decision decision) {
      send(caller, request, decision);
    } else if (answer instanceof Answer.NoRules) {
      caller.onError(
          Status.UNAVAILABLE
              .withDescription("no rules are loaded yet; the log says why")
              .asException());
    } else {
      caller.onError(
          Undecided.reason(error)
              .map(it -> Status.UNAVAILABLE.withDescription(it).asException())
              .orElseGet(() -> ours(error)));
    }
  }

  /** Until when the caller of this call waits. */
  private static Deadline deadline() {
    io.grpc.Deadline given = Context.current().getDeadline();
    return given == null
        ? Deadline.NONE
        : new Deadline(System.nanoTime() + given.timeRemaining(TimeUnit.NANOSECONDS));
  }

  /** Sends a decision; one that cannot be written is a failure, and not a call without an end. */
  private void send(
      StreamObserver<RateLimitResponse> caller,
      RateLimitRequest request,
      Answer.Decision decision) {
    RateLimitResponse response;
    try {
      response = writer.write(request, decision);
    } catch (RuntimeException e) {
      caller.onError(ours(e));
      return;
    }
    caller.onNext(response);
    caller.onCompleted();
  }

  /** A failure that is nobody's but ours. */
  private static StatusException ours(@Nullable Throwable error) {
    LOG.error("A request could not be decided", error);
    return Status.INTERNAL
        .withDescription("the request could not be decided; the log says why")
        .asException();
  }
}
