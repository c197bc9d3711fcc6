package dev.sluice.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BatchStore;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreContract;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.testing.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Batching is a store like any other, whatever threads call it and answer it. */
class BatchingContractTest extends BucketStoreContract {
  private static final int CALLS = 2;

  private final TestClock clock = new TestClock(0);
  private final InMemoryBucketStore memory = new InMemoryBucketStore(clock, clock.ticker(), 1_000);
  private final ExecutorService threads = Executors.newFixedThreadPool(3);
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger mostUnderWay = new AtomicInteger();
  private final AtomicInteger made = new AtomicInteger();

  /** Answers at once or later, on the caller's thread or another. */
  private final BatchStore anyhow =
      groups -> {
        mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        made.incrementAndGet();
        if (ThreadLocalRandom.current().nextInt(4) == 0) {
          underWay.decrementAndGet();
          return memory.decideAll(groups);
        }
        return CompletableFuture.supplyAsync(
                () -> memory.decideAll(groups).toCompletableFuture().join(), threads)
            .whenComplete((verdicts, error) -> underWay.decrementAndGet());
      };

  private final Batching batching =
      new Batching(anyhow, new Batching.Bounds(CALLS, 16, 100_000), System::nanoTime);

  @AfterEach
  void close() {
    threads.shutdown();
  }

  @Override
  protected BucketStore store() {
    return batching;
  }

  @Override
  protected void setClock(long micros) {
    clock.set(micros);
  }

  @Test
  void underAnyLoadEverybodyIsAnsweredAndExactlyTheBurstIsAdmitted() throws Exception {
    setClock(1_000_000);
    Limit limit = Limit.of(70_000, Period.DAY);
    BucketCharge one =
        new BucketCharge(key("rush"), limit, new Charge.Take(1), BucketCharge.Veto.ALONE);
    AtomicInteger admitted = new AtomicInteger();
    int callers = 6;
    int times = 15_000;
    Semaphore answered = new Semaphore(0);
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      Thread caller =
          new Thread(
              () -> {
                Semaphore mine = new Semaphore(64);
                for (int j = 0; j < times; j++) {
                  mine.acquireUninterruptibly();
                  var unused =
                      batching
                          .decide(List.of(one))
                          .thenAccept(it -> admitted.addAndGet(it.get(0).conforms() ? 1 : 0))
                          .whenComplete(
                              (done, error) -> {
                                mine.release();
                                answered.release();
                              });
                }
              });
      running.add(caller);
      caller.start();
    }
    assertThat(answered.tryAcquire(callers * times, 120, TimeUnit.SECONDS)).isTrue();
    for (Thread caller : running) {
      caller.join();
    }
    assertThat(admitted).hasValue(70_000);
    assertThat(mostUnderWay).hasValueLessThanOrEqualTo(CALLS);
    assertThat(made).hasValueLessThan(callers * times);
  }
}
