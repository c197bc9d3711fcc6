package dev.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreContract;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.local.Batching;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.TestRedisScripts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Requests that go together, on a real Redis whose scripts ask a clock that the tests set. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BatchingOnRedisIT extends BucketStoreContract {
  private final RedisProcess redis = RedisProcess.start();
  private final RedisFixture fixture =
      new RedisFixture(redis, TestRedisScripts.withTestClock(), 4_096);
  private final Batching batching =
      new Batching(fixture.redis(), new Batching.Bounds(2, 128, 10_000), System::nanoTime);

  @BeforeAll
  void connect() {
    fixture.connected();
  }

  @AfterAll
  void close() {
    fixture.close();
    redis.close();
  }

  @Override
  protected BucketStore store() {
    return batching;
  }

  @Override
  protected void setClock(long micros) {
    TestRedisScripts.set(redis, micros);
  }

  @Test
  void aRushCostsFewCallsAndEverybodyHasAVerdictOfTheirOwn() {
    setClock(2_790_000_000_000_000L);
    Limit limit = Limit.of(3_000, Period.DAY);
    int before = fixture.observer.answered.get();
    List<CompletableFuture<List<Verdict>>> answers = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      answers.add(
          batching
              .decide(List.of(charge(key("rush"), limit, new Charge.Take(1))))
              .toCompletableFuture());
    }
    // Two calls under way may overtake each other, so which request had which unit is open.
    List<Long> remaining = new ArrayList<>();
    int denied = 0;
    for (CompletableFuture<List<Verdict>> answer : answers) {
      Verdict verdict = answer.orTimeout(20, TimeUnit.SECONDS).join().get(0);
      if (verdict.conforms()) {
        remaining.add(verdict.balance().remaining());
      } else {
        assertThat(verdict.balance().remaining()).isZero();
        denied++;
      }
    }
    assertThat(denied).isEqualTo(1_000);
    assertThat(remaining)
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 3_000).boxed().toList());
    // All but the first few wait for a call and fill the next one, if the calls are slower than
    // this test; and even if they are not, some do.
    assertThat(fixture.observer.answered.get() - before).isLessThan(2_000);
  }
}
