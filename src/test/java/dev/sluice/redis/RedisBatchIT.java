package dev.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BatchStore;
import dev.sluice.bucket.BatchStoreContract;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.TestRedisScripts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Many groups at once on a real Redis whose scripts ask a clock that the tests set. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisBatchIT extends BatchStoreContract {
  private static final Limit LIMIT = Limit.of(1_000, Period.DAY);

  private final RedisProcess redis = RedisProcess.start();
  private final RedisFixture fixture =
      new RedisFixture(redis, TestRedisScripts.withTestClock(), 4_096);

  @BeforeAll
  void connect() {
    fixture.connected();
  }

  @BeforeEach
  void empty() {
    redis.tell(commands -> commands.flushall());
    fixture.observer.answered.set(0);
    fixture.observer.requests.set(0);
  }

  @AfterAll
  void close() {
    fixture.close();
    redis.close();
  }

  @Override
  protected BatchStore store() {
    return fixture.redis();
  }

  @Override
  protected void setClock(long micros) {
    TestRedisScripts.set(redis, micros);
  }

  @Test
  void theSameAgainIsCountedAndNotListed() {
    List<List<BucketCharge>> groups = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      groups.add(List.of(take("hot")));
      groups.add(List.of(take("cold" + i % 10)));
    }
    decide(groups);
    assertThat(fixture.observer.answered).hasValue(1);
    assertThat(fixture.observer.requests).hasValue(1_000);
  }

  @Test
  void aCallHasThirtyTwoChargesAndAGroupIsNotDivided() {
    List<List<BucketCharge>> groups = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      groups.add(List.of(take("a" + i), take("b" + i), take("c" + i)));
    }
    decide(groups);
    assertThat(fixture.observer.answered).hasValue(2);
    decide(List.of(Collections.nCopies(100, take("wide"))));
    assertThat(fixture.observer.answered).hasValue(3);
  }

  private void decide(List<List<BucketCharge>> groups) {
    setClock(2_790_000_000_000_000L);
    assertThat(store().decideAll(groups).toCompletableFuture().join()).hasSameSizeAs(groups);
  }

  private static BucketCharge take(String name) {
    return new BucketCharge(
        BucketKey.in("batch").entry("b", name).build(),
        LIMIT,
        new Charge.Take(1),
        BucketCharge.Veto.ALONE);
  }
}
