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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  private static boolean decides(BucketStore store) {
    BucketCharge charge =
        new BucketCharge(
            BucketKey.in("failover").entry("k", "v").build(),
            PLENTY,
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
