package dev.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.guard.FailurePolicy;
import dev.sluice.guard.Fallback;
import dev.sluice.guard.FallbackObserver;
import dev.sluice.guard.LastKnown;
import dev.sluice.guard.LocalShares;
import dev.sluice.guard.StandIn;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.testing.RedisProcess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a store does when its Redis misbehaves, with the scripts and the clock of production. */
class RedisTroubleIT {
  private static final Duration TIMEOUT = Duration.ofMillis(50);
  private static final Limit PLENTY = Limit.of(100_000, Period.DAY);

  private final RedisProcess redis = RedisProcess.start();
  private final List<RedisFixture> fixtures = new ArrayList<>();
  private final Queue<String> turns = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    fixtures.forEach(RedisFixture::close);
    redis.close();
  }

  @Test
  void twoServersAndSixtyFourCallersGetExactlyTheBurst() throws Exception {
    List<BucketStore> servers =
        List.of(server().store(Duration.ofSeconds(10)), server().store(Duration.ofSeconds(10)));
    Limit limit = Limit.of(1_000, Period.DAY);
    AtomicInteger admitted = new AtomicInteger();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      BucketStore server = servers.get(i % 2);
      Thread caller =
          new Thread(
              () -> {
                for (int j = 0; j < 40; j++) {
                  admitted.addAndGet(conforms(server, "door", limit) ? 1 : 0);
                }
              });
      callers.add(caller);
      caller.start();
    }
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(admitted).hasValue(1_000);
  }

  @Test
  void aForgottenScriptIsSentAgainAndNothingIsChargedTwice() {
    RedisFixture server = server();
    BucketStore store = server.store(Duration.ofSeconds(10));
    List<CompletableFuture<List<Verdict>>> calls = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      if (i % 100 == 0) {
        redis.tell(commands -> commands.scriptFlush());
      }
      calls.add(store.decide(charges("flushed", PLENTY, 1 + i % 2)).toCompletableFuture());
    }
    calls.forEach(call -> assertThat(call.orTimeout(10, TimeUnit.SECONDS).join()).isNotEmpty());
    Verdict left =
        store.decide(List.of(look("flushed", PLENTY))).toCompletableFuture().join().get(0);
    assertThat(PLENTY.burst() - left.balance().remaining()).isBetween(2_990L, 3_000L);
    assertThat(server.observer.failed).isEmpty();
  }

  @Test
  void anEmptiedRedisHasFullBucketsAndNoMore() {
    BucketStore store = server().store(Duration.ofSeconds(10));
    Limit two = Limit.of(2, Period.DAY);
    assertThat(conforms(store, "k", two)).isTrue();
    assertThat(conforms(store, "k", two)).isTrue();
    assertThat(conforms(store, "k", two)).isFalse();
    redis.tell(commands -> commands.flushall());
    assertThat(conforms(store, "k", two)).isTrue();
    assertThat(conforms(store, "k", two)).isTrue();
    assertThat(conforms(store, "k", two)).isFalse();
  }

  @Test
  void whileRedisIsGoneEveryCallIsAnsweredAndThenItDecidesAgain() {
    RedisFixture server = server();
    BucketStore store = withStandIn(server);
    assertThat(conforms(store, "before", PLENTY)).isTrue();
    redis.kill();
    for (int i = 0; i < 200; i++) {
      assertThat(conforms(store, "during", Limit.of(150, Period.DAY))).isEqualTo(i < 150);
    }
    assertThat(turns).hasSize(1);
    redis.restart();
    awaitTheEndOfTheOutage(store);
    assertThat(turns).element(1).asString().startsWith("ended");
    int answered = server.observer.answered.get();
    conforms(store, "after", PLENTY);
    assertThat(server.observer.answered).hasValueGreaterThan(answered);
    assertThat(connections()).isEqualTo(1);
  }

  @Test
  void whileRedisHangsCallsTakeNoLongerThanTheTimeoutAndTheQueueIsBounded() {
    RedisFixture server = fixture(100).connected();
    BucketStore store = withStandIn(server);
    assertThat(conforms(store, "before", PLENTY)).isTrue();
    redis.pause();
    List<CompletableFuture<List<Verdict>>> calls = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      calls.add(store.decide(charges("during", PLENTY, 1)).toCompletableFuture());
    }
    calls.forEach(call -> assertThat(call.orTimeout(5, TimeUnit.SECONDS).join()).hasSize(1));
    // The observer is told right after the caller, so it may be told a moment later. On a slow
    // machine a call may be given up before the connection gets to refusing it.
    await()
        .untilAsserted(
            () -> {
              assertThat(server.observer.failed)
                  .containsOnlyKeys(Reason.QUEUE_FULL, Reason.TIMEOUT);
              assertThat(server.observer.failed.values().stream().mapToInt(it -> it).sum())
                  .isEqualTo(500);
            });
    redis.resume();
    awaitTheEndOfTheOutage(store);
    // The calls that were given up were in Redis' hands already: it has charged them, and nobody
    // was told twice.
    assertThat(server.observer.late).hasValueGreaterThan(0);
    BucketStore patient = server.store(Duration.ofSeconds(10));
    Verdict late =
        patient.decide(List.of(look("during", PLENTY))).toCompletableFuture().join().get(0);
    assertThat(PLENTY.burst() - late.balance().remaining()).isBetween(1L, 210L);
  }

  @Test
  void aLateReplyIsNobodyElsesAndNobodyIsAnsweredTwice() {
    RedisFixture server = server();
    BucketStore store = server.store(TIMEOUT);
    redis.pause();
    List<CompletableFuture<List<Verdict>>> late = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Limit limit = Limit.of(100 + i, Period.DAY);
      late.add(store.decide(charges("late" + i, limit, 1)).toCompletableFuture());
    }
    await().until(() -> late.stream().allMatch(CompletableFuture::isCompletedExceptionally));
    BucketStore patient = server.store(Duration.ofSeconds(10));
    List<CompletableFuture<List<Verdict>>> later = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Limit limit = Limit.of(1_000 + i, Period.DAY);
      later.add(patient.decide(charges("later" + i, limit, 1)).toCompletableFuture());
    }
    redis.resume();
    for (int i = 0; i < 100; i++) {
      Verdict verdict = later.get(i).orTimeout(20, TimeUnit.SECONDS).join().get(0);
      assertThat(verdict.balance().remaining()).isEqualTo(999 + i);
    }
    assertThat(late).allMatch(CompletableFuture::isCompletedExceptionally);
    // What came too late was charged all the same, once.
    for (int i = 0; i < 100; i++) {
      Limit limit = Limit.of(100 + i, Period.DAY);
      Verdict left =
          patient.decide(List.of(look("late" + i, limit))).toCompletableFuture().join().get(0);
      assertThat(left.balance().remaining()).isEqualTo(99 + i);
    }
  }

  @Test
  void aRedisThatIsNotThereAtTheStartIsFoundLater() {
    redis.kill();
    RedisFixture server = fixture(4_096);
    BucketStore store = withStandIn(server);
    assertThat(conforms(store, "k", PLENTY)).isTrue();
    assertThat(server.observer.failed).containsOnlyKeys(Reason.UNREACHABLE);
    redis.restart();
    server.connected();
    assertThat(conforms(store, "k", PLENTY)).isTrue();
    await().atMost(Duration.ofSeconds(5)).until(() -> server.observer.answered.get() > 0);
  }

  @Test
  void aKeyOfAnotherTypeFailsThatBucketAlone() {
    RedisFixture server = server();
    BucketStore store = withStandIn(server);
    redis.tell(commands -> commands.lpush("rl:" + key("list").text(), "foreign"));
    assertThat(conforms(store, "list", PLENTY)).isTrue();
    await()
        .untilAsserted(
            () ->
                assertThat(server.observer.failed)
                    .containsExactly(java.util.Map.entry(Reason.ERROR, 1)));
    assertThat(conforms(store, "other", PLENTY)).isTrue();
    assertThat(server.observer.answered).hasValue(2);
  }

  @Test
  void noKeyIsWithoutAnEndAndNoneLivesLongerThanItsPeriod() {
    BucketStore store = server().store(Duration.ofSeconds(10));
    for (int i = 0; i < 500; i++) {
      conforms(store, "s" + i, Limit.of(1_000, Period.SECOND));
      conforms(store, "m" + i, Limit.of(1, Period.MINUTE));
      conforms(store, "d" + i, Limit.of(3, Period.DAY));
    }
    redis.tell(
        commands ->
            commands
                .keys("rl:*")
                .forEach(
                    it ->
                        assertThat(commands.pttl(it))
                            .isNotEqualTo(-1L)
                            .isLessThanOrEqualTo(86_400_001L)));
    await()
        .atMost(Duration.ofSeconds(5))
        .until(() -> redis.ask(commands -> commands.keys("rl:*bucket=s*").isEmpty()));
  }

  private void awaitTheEndOfTheOutage(BucketStore store) {
    await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              conforms(store, "after", PLENTY);
              return turns.size() == 2;
            });
  }

  private RedisFixture server() {
    return fixture(4_096).connected();
  }

  private RedisFixture fixture(int queue) {
    RedisFixture fixture = new RedisFixture(redis, RedisScripts.load(), queue);
    fixtures.add(fixture);
    return fixture;
  }

  private BucketStore withStandIn(RedisFixture server) {
    FallbackObserver observer =
        new FallbackObserver() {
          @Override
          public void stoodIn(Reason reason, OnFailure policy, Outcome outcome) {}

          @Override
          public void began(Throwable cause) {
            turns.add("began: " + cause.getMessage());
          }

          @Override
          public void ended(Duration length, long decisions) {
            turns.add("ended after " + decisions);
          }
        };
    LastKnown lastKnown = new LastKnown(System::nanoTime, 1_000);
    LocalShares shares =
        new LocalShares(
            new LocalShares.Memory(InstantSource.system(), Ticker.systemTicker(), 1_000),
            () -> 1,
            lastKnown);
    StandIn standIn =
        new StandIn(
            new StandIn.Shares(shares, lastKnown),
            new FailurePolicy(shares, () -> 1_000_000),
            System::nanoTime,
            observer);
    return new Fallback(server.store(TIMEOUT), standIn);
  }

  private long connections() {
    return redis.ask(
        commands ->
            commands.clientList().lines().filter(line -> line.contains("name=sluice")).count());
  }

  private static BucketKey key(String name) {
    return BucketKey.in("trouble").entry("bucket", name).build();
  }

  private static BucketCharge look(String name, Limit limit) {
    return new BucketCharge(key(name), limit, new Charge.Look(1), BucketCharge.Veto.ALONE);
  }

  private static List<BucketCharge> charges(String name, Limit limit, int times) {
    return java.util.Collections.nCopies(
        times, new BucketCharge(key(name), limit, new Charge.Take(1), BucketCharge.Veto.ALONE));
  }

  private static boolean conforms(BucketStore store, String name, Limit limit) {
    return store
        .decide(charges(name, limit, 1))
        .toCompletableFuture()
        .orTimeout(20, TimeUnit.SECONDS)
        .join()
        .get(0)
        .conforms();
  }
}
