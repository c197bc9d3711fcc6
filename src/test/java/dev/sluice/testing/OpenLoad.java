package dev.sluice.testing;

import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Callers that do not wait for each other: calls go out at a steady rate, however long the answers
 * take, as those of many Envoys do.
 *
 * <p>A call takes the time from its being sent to its answer, so a client that was kept from
 * sending does not count as a slow server. Thread-safe.
 */
public final class OpenLoad implements AutoCloseable {
  private static final String DEGRADED = "x-ratelimit-degraded";
  private static final Duration TURN = Duration.ofMillis(2);

  private final ManagedChannel channel;
  private final Duration deadline;
  private final LongFunction<RateLimitRequest> requests;
  private final ScheduledExecutorService pacer = Executors.newSingleThreadScheduledExecutor();

  /** Guarded by itself. */
  private final List<Call> ended = new ArrayList<>();

  private final AtomicLong sent = new AtomicLong();
  private final long startNanos = System.nanoTime();
  private final long perSecond;

  /**
   * One call that has ended.
   *
   * @param number the how-manieth it was, from 0
   * @param beganNanos when it was sent, by {@link System#nanoTime}
   * @param nanos that it took
   * @param code how gRPC says it ended
   * @param verdict the answer, UNKNOWN where there is none
   * @param degraded whether the answer says that it was decided without Redis
   */
  public record Call(
      long number,
      long beganNanos,
      long nanos,
      Status.Code code,
      RateLimitResponse.Code verdict,
      boolean degraded) {}

  /**
   * Begins to call.
   *
   * @param port of the server on this machine
   * @param perSecond how many calls
   * @param deadline of each call, which the server is told
   * @param requests the request of each number
   */
  public OpenLoad(
      int port, long perSecond, Duration deadline, LongFunction<RateLimitRequest> requests) {
    this.channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().directExecutor().build();
    this.perSecond = perSecond;
    this.deadline = deadline;
    this.requests = requests;
    var unused = pacer.scheduleAtFixedRate(this::send, 0, TURN.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Sends what is due by now. */
  private void send() {
    long due = (System.nanoTime() - startNanos) * perSecond / TimeUnit.SECONDS.toNanos(1);
    while (sent.get() < due) {
      long number = sent.getAndIncrement();
      RateLimitRequest request = requests.apply(number);
      RateLimitServiceGrpc.newStub(channel)
          .withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS)
          .shouldRateLimit(request, new End(number, System.nanoTime()));
    }
  }

  /** Waits for the end of one call. */
  private final class End implements StreamObserver<RateLimitResponse> {
    private final long number;
    private final long beganNanos;
    private RateLimitResponse answer = RateLimitResponse.getDefaultInstance();

    End(long number, long beganNanos) {
      this.number = number;
      this.beganNanos = beganNanos;
    }

    @Override
    public void onNext(RateLimitResponse given) {
      answer = given;
    }

    @Override
    public void onError(Throwable failure) {
      ended(Status.fromThrowable(failure).getCode());
    }

    @Override
    public void onCompleted() {
      ended(Status.Code.OK);
    }

    private void ended(Status.Code code) {
      long nanos = System.nanoTime() - beganNanos;
      boolean degraded =
          answer.getResponseHeadersToAddList().stream()
              .anyMatch(header -> header.getKey().equals(DEGRADED));
      Call call = new Call(number, beganNanos, nanos, code, answer.getOverallCode(), degraded);
      synchronized (ended) {
        ended.add(call);
      }
    }
  }

  /** How many calls have ended so far. */
  public int answers() {
    synchronized (ended) {
      return ended.size();
    }
  }

  /** How many calls were sent so far. */
  public long sent() {
    return sent.get();
  }

  /** The calls that have ended so far, in the order in which they did. */
  public List<Call> ended() {
    return endedSince(0);
  }

  /** The same without the first ones. */
  public List<Call> endedSince(int first) {
    synchronized (ended) {
      return new ArrayList<>(ended.subList(first, ended.size()));
    }
  }

  /** Sends no more. */
  public void stop() {
    pacer.shutdown();
    try {
      if (!pacer.awaitTermination(10, TimeUnit.SECONDS)) {
        throw new AssertionError("calls are still sent");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    pacer.shutdownNow();
    channel.shutdownNow();
  }
}
