package dev.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.local.DenyCache;
import dev.sluice.local.LeaseObserver;
import dev.sluice.local.LeaseSize;
import dev.sluice.local.Leases;
import dev.sluice.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Two processes with leases, each with its own connection to one real Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LeasedRedisIT {
  /** So slow that nothing drains while the test runs. */
  private static final Limit LIMIT = Limit.of(5_000, Period.YEAR);

  private final RedisProcess redis = RedisProcess.start();
  private final RedisFixture one = new RedisFixture(redis, RedisScripts.load(), 4_096);
  private final RedisFixture other = new RedisFixture(redis, RedisScripts.load(), 4_096);

  @BeforeAll
  void connect() {
    one.connected();
    other.connected();
  }

  @AfterAll
  void close() {
    one.close();
    other.close();
    redis.close();
  }

  @Test
  void twoProcessesTogetherAdmitTheLimitAndSpareRedisMostCalls() throws Exception {
    Units units = new Units();
    List<Leases> leases = List.of(leases(one, units), leases(other, units));
    AtomicInteger admitted = new AtomicInteger();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      BucketStore store = leases.get(i % 2);
      Thread caller =
          new Thread(
              () -> {
                // A caller leaves when it is denied: what is held by the other process is not its.
                while (takes(store)) {
                  admitted.incrementAndGet();
                }
              });
      callers.add(caller);
      caller.start();
    }
    for (Thread caller : callers) {
      caller.join(TimeUnit.SECONDS.toMillis(60));
    }
    long held = units.granted.get() - units.spent.get();
    assertThat(admitted.get() + held).isLessThanOrEqualTo(5_000);
    assertThat(admitted).hasValueGreaterThanOrEqualTo(4_750);
    assertThat(units.spent).hasValueGreaterThan(admitted.get() / 2);

    leases.forEach(
        it -> it.giveBackAll().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join());
    assertThat(units.lost).hasValue(0);
    assertThat(units.granted.get() - units.spent.get()).isEqualTo(units.calledBack.get());
    assertThat(remaining()).isEqualTo(5_000 - admitted.get());
  }

  private static Leases leases(RedisFixture fixture, LeaseObserver observer) {
    BucketStore store = fixture.store(Duration.ofSeconds(10));
    return new Leases(
        new DenyCache(store, System::nanoTime, 100, false, charges -> {}),
        System::nanoTime,
        new LeaseSize(5, () -> 2),
        100,
        observer);
  }

  private static BucketCharge charge(Charge charge) {
    BucketKey key = BucketKey.in("leased").entry("k", "v").build();
    return new BucketCharge(key, LIMIT, charge, Veto.ALONE);
  }

  private static Verdict decide(BucketStore store, Charge charge) {
    return store
        .decide(List.of(charge(charge)))
        .toCompletableFuture()
        .orTimeout(20, TimeUnit.SECONDS)
        .join()
        .get(0);
  }

  private static boolean takes(BucketStore store) {
    return decide(store, new Charge.Take(1)).conforms();
  }

  private long remaining() {
    return decide(one.store(Duration.ofSeconds(10)), new Charge.Look(1)).balance().remaining();
  }

  /** The account of both. */
  private static final class Units implements LeaseObserver {
    private final AtomicLong granted = new AtomicLong();
    private final AtomicLong spent = new AtomicLong();
    private final AtomicLong calledBack = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();

    @Override
    public void granted(long units, double share) {
      granted.addAndGet(units);
    }

    @Override
    public void spent(int charges, long units) {
      spent.addAndGet(units);
    }

    @Override
    public void calledBack(long units) {
      calledBack.addAndGet(units);
    }

    @Override
    public void lost(long units) {
      lost.addAndGet(units);
    }
  }
}
