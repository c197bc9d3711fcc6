package dev.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.RedisSentinels;
import dev.sluice.testing.TestRedisScripts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store does when its server is no primary any more, full, or has another password. */
class RedisFailoverIT {
  private static final Limit PLENTY = Limit.of(1_000_000, Period.DAY);
  private static final Duration TIMEOUT = Duration.ofMillis(500);

  @TempDir private Path scratch;

  @Test
  void sentinelsAreAskedForTheNewPrimary() {
    try (RedisSentinels sentinels = RedisSentinels.start(scratch)) {
      String[] parts = sentinels.url().split(",");
      List<URI> urls = Stream.of(parts).skip(1).map(it -> URI.create("redis://" + it)).toList();
      Topology topology = new Topology.Sentinel(parts[0], urls, Secret.NONE);
      try (RedisFixture fixture = fixture(topology, Secret.NONE)) {
        BucketStore store = fixture.store(TIMEOUT);
        assertThat(decides(store)).isTrue();
        sentinels.primary().kill();
        awaitDecision(store);
        assertThat(keys(sentinels.replica())).isPositive();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1})
  void aNewPrimaryMayHaveAnotherTime(long hours) {
    // Redis forgets keys by its real clock, so neither of the others may be behind that.
    long real = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    long now = real + TimeUnit.HOURS.toMicros(Math.max(0, -hours));
    long then = now + TimeUnit.HOURS.toMicros(hours);
    Limit ten = Limit.of(10, Period.MINUTE);
    try (RedisProcess redis = RedisProcess.start();
        RedisProcess other = RedisProcess.with("--replicaof", "127.0.0.1 " + redis.port());
        RedisFixture before = new RedisFixture(redis, TestRedisScripts.withTestClock(), 4_096);
        RedisFixture after = new RedisFixture(other, TestRedisScripts.withTestClock(), 4_096)) {
      TestRedisScripts.set(redis, now);
      BucketStore old = before.connected().store(TIMEOUT);
      assertThat(admitted(old, ten, 20)).isEqualTo(10);
      eventually().until(() -> keys(other) == keys(redis));
      other.tell(commands -> commands.replicaofNoOne());
      TestRedisScripts.set(other, then);
      BucketStore next = after.connected().store(TIMEOUT);
      // Its time is said to be another one: no more than a burst passes at once, and nobody is
      // locked out for longer than a period of its own.
      assertThat(admitted(next, ten, 20)).isEqualTo(hours < 0 ? 0 : 10);
      TestRedisScripts.set(other, then + Period.MINUTE.micros());
      assertThat(admitted(next, ten, 20)).isEqualTo(10);
    }
  }

  @Test
  void theFileOfThePasswordOfSentinelsIsReadForEachConnection() throws IOException {
    Path file = Files.writeString(scratch.resolve("sentinels"), "old\n");
    try (RedisProcess redis = RedisProcess.start();
        RedisProcess sentinel = RedisProcess.sentinel(guarded(redis));
        RedisFixture fixture =
            new RedisFixture(
                new Topology.Sentinel(
                    "mymaster",
                    List.of(URI.create("redis://" + sentinel.url())),
                    new Secret("of no use", Optional.of(file))),
                Secret.NONE,
                RedisScripts.load(),
                4_096)) {
      BucketStore store = fixture.store(TIMEOUT);
      eventually().until(() -> fixture.link().firstAttempt().toCompletableFuture().isDone());
      assertThat(decides(store)).isFalse();
      Files.writeString(file, "new\n");
      awaitDecision(store);
    }
  }

  private Path guarded(RedisProcess redis) throws IOException {
    return Files.writeString(
        scratch.resolve("sentinel.conf"),
        "requirepass new\nsentinel monitor mymaster 127.0.0.1 " + redis.port() + " 1\n");
  }

  @Test
  void aPrimaryThatBecameAReplicaIsLeftAndTakenAgainOnceItIsOne() {
    try (RedisProcess redis = RedisProcess.start();
        RedisFixture fixture = fixture(single(redis), Secret.NONE)) {
      BucketStore store = fixture.store(TIMEOUT);
      assertThat(decides(store)).isTrue();
      redis.tell(commands -> commands.replicaof("127.0.0.1", 1));
      assertThat(decides(store)).isFalse();
      assertThat(fixture.observer.failed).containsKey(Reason.READ_ONLY);
      redis.tell(commands -> commands.replicaofNoOne());
      awaitDecision(store);
    }
  }

  @Test
  void aFullMemoryIsAFailureAndEndsByItself() {
    try (RedisProcess redis = RedisProcess.start();
        RedisFixture fixture = fixture(single(redis), Secret.NONE)) {
      BucketStore store = fixture.store(TIMEOUT);
      redis.tell(commands -> commands.configSet("maxmemory", "1"));
      assertThat(decides(store)).isFalse();
      assertThat(fixture.observer.failed).containsOnlyKeys(Reason.OUT_OF_MEMORY);
      redis.tell(commands -> commands.configSet("maxmemory", "0"));
      assertThat(decides(store)).isTrue();
    }
  }

  @Test
  void aPasswordFileIsReadForEachConnection() throws IOException {
    Path file = scratch.resolve("password");
    Files.writeString(file, "ida:old\n");
    try (RedisProcess redis =
            RedisProcess.with("--user", "ida", "on", ">old", "~*", "&*", "+@all");
        RedisFixture fixture = fixture(single(redis), new Secret("", Optional.of(linked(file))))) {
      fixture.connected();
      BucketStore store = fixture.store(TIMEOUT);
      awaitDecision(store);
      redis.tell(
          commands ->
              commands.aclSetuser(
                  "ida", io.lettuce.core.AclSetuserArgs.Builder.resetpass().addPassword("new")));
      assertThat(decides(store)).isTrue();
      hangUp(redis);
      await().atMost(Duration.ofSeconds(10)).until(() -> !decides(store));
      Path next = Files.writeString(scratch.resolve("next"), "ida:new\n");
      Path swap = Files.createSymbolicLink(scratch.resolve("swap"), next);
      Files.move(swap, scratch.resolve("link"), StandardCopyOption.REPLACE_EXISTING);
      awaitDecision(store);
    }
  }

  private Path linked(Path file) throws IOException {
    return Files.createSymbolicLink(scratch.resolve("link"), file);
  }

  private static void hangUp(RedisProcess redis) {
    redis.tell(
        commands ->
            commands
                .clientList()
                .lines()
                .filter(line -> line.contains("name=sluice"))
                .map(line -> line.replaceAll("^id=(\\d+) .*", "$1"))
                .forEach(
                    id ->
                        commands.clientKill(
                            io.lettuce.core.KillArgs.Builder.id(Long.parseLong(id)))));
  }

  private static Topology single(RedisProcess redis) {
    return new Topology.Single(URI.create("redis://" + redis.url()));
  }

  private static RedisFixture fixture(Topology topology, Secret secret) {
    RedisFixture fixture = new RedisFixture(topology, secret, RedisScripts.load(), 4_096);
    return secret.isNone() ? fixture.connected() : fixture;
  }

  private static void awaitDecision(BucketStore store) {
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> decides(store));
  }

  private static ConditionFactory eventually() {
    return await().atMost(Duration.ofSeconds(10)).pollInterval(Duration.ofMillis(20));
  }

  private static int admitted(BucketStore store, Limit limit, int calls) {
    int admitted = 0;
    for (int i = 0; i < calls; i++) {
      admitted += decides(store, limit) ? 1 : 0;
    }
    return admitted;
  }

  private static boolean decides(BucketStore store) {
    return decides(store, PLENTY);
  }

  private static boolean decides(BucketStore store, Limit limit) {
    BucketCharge charge =
        new BucketCharge(
            BucketKey.in("failover").entry("k", "v").build(),
            limit,
            new Charge.Take(1),
            BucketCharge.Veto.ALONE);
    try {
      return store
          .decide(List.of(charge))
          .toCompletableFuture()
          .orTimeout(20, TimeUnit.SECONDS)
          .join()
          .get(0)
          .conforms();
    } catch (CompletionException e) {
      return false;
    }
  }

  private static long keys(RedisProcess redis) {
    return redis.ask(commands -> commands.dbsize());
  }
}
