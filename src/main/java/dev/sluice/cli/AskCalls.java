package dev.sluice.cli;

import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitServiceGrpc.RateLimitServiceStub;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One request that is sent again and again, so many of them at a time. */
final class AskCalls {
  private static final long SECONDS_TO_WAIT = 5;

  private final RateLimitServiceStub server;
  private final RateLimitRequest request;
  private final AtomicInteger toBegin;
  private final CountDownLatch toEnd;
  private final AskReport report;

  AskCalls(RateLimitServiceStub server, RateLimitRequest request, int times, AskReport report) {
    this.server = server;
    this.request = request;
    toBegin = new AtomicInteger(times);
    toEnd = new CountDownLatch(times);
    this.report = report;
  }

  /** Sends them all, and waits until each has ended; none takes longer than its deadline. */
  void run(int parallel) throws InterruptedException {
    for (int i = 0; i < parallel; i++) {
      next();
    }
    toEnd.await();
  }

  private void next() {
    if (toBegin.getAndDecrement() > 0) {
      server
          .withDeadlineAfter(SECONDS_TO_WAIT, TimeUnit.SECONDS)
          .shouldRateLimit(request, new Call());
    }
  }

  /** A call that is under way. */
  private final class Call implements StreamObserver<RateLimitResponse> {
    private final long began = System.nanoTime();

    @Override
    public void onNext(RateLimitResponse answer) {
      report.answered(answer, System.nanoTime() - began);
    }

    @Override
    public void onError(Throwable error) {
      report.failed(Status.fromThrowable(error));
      end();
    }

    @Override
    public void onCompleted() {
      end();
    }

    private void end() {
      next();
      toEnd.countDown();
    }
  }
}
