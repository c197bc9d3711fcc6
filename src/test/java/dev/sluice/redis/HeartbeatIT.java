package dev.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How servers count themselves. */
final class HeartbeatIT {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final RedisProcess redis = RedisProcess.start();
  private final RedisFixture fixture =
      new RedisFixture(redis, RedisScripts.load(), 100).connected();
  private final Queue<Boolean> heard = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    fixture.close();
    redis.close();
  }

  @Test
  void serversSeeEachOtherAndMissNobodyWhoLeaves() {
    Heartbeat one = beating("one");
    await().atMost(LONG).until(() -> one.servers() == 1 && !heard.isEmpty());
    Heartbeat two = beating("two");
    await().atMost(LONG).until(() -> one.servers() == 2 && two.servers() == 2);
    assertThat(redis.<Long>ask(commands -> commands.pttl("rl:pods"))).isBetween(1L, 30_000L);

    two.close();
    assertThat(redis.<List<String>>ask(commands -> commands.zrange("rl:pods", 0, -1)))
        .containsExactly("one");
    await().atMost(LONG).until(() -> one.servers() == 1);
    one.close();
    assertThat(redis.<Long>ask(commands -> commands.exists("rl:pods"))).isZero();
  }

  @Test
  void whoIsNotHeardOfForTenSecondsIsDeadAndSoIsWhoIsHeardOfInTheFuture() {
    double now = (double) System.currentTimeMillis();
    redis.tell(
        commands -> {
          commands.zadd("rl:pods", now - 60_000, "long gone");
          commands.zadd("rl:pods", now + 60_000, "of a clock that was set back");
          commands.zadd("rl:pods", now, "alive");
        });
    Heartbeat one = beating("one");
    await().atMost(LONG).until(() -> one.servers() == 2);
    assertThat(redis.<List<String>>ask(commands -> commands.zrange("rl:pods", 0, -1)))
        .containsExactlyInAnyOrder("alive", "one");
    one.close();
  }

  @Test
  void whileRedisIsAwayTheCountStaysAndItIsSaidOnce() {
    redis.tell(commands -> commands.zadd("rl:pods", (double) System.currentTimeMillis(), "other"));
    Heartbeat one = beating("one");
    await().atMost(LONG).until(() -> one.servers() == 2);
    redis.kill();
    await().atMost(LONG).until(() -> heard.contains(false));
    assertThat(one.servers()).isEqualTo(2);
    heard.clear();
    redis.restart();
    await().atMost(LONG).until(() -> heard.contains(true));
    assertThat(heard).doesNotContain(false);
    // A Redis that has just begun knows of nobody else yet.
    assertThat(one.servers()).isEqualTo(2);
    one.close();
  }

  @Test
  void aRedisThatHangsIsNotWaitedFor() {
    Heartbeat one = beating("one");
    await().atMost(LONG).until(() -> heard.contains(true));
    redis.pause();
    try {
      await().atMost(LONG).until(() -> heard.contains(false));
    } finally {
      redis.resume();
    }
    heard.clear();
    await().atMost(LONG).until(() -> heard.contains(true));
    one.close();
  }

  private Heartbeat beating(String id) {
    Heartbeat heartbeat = fixture.heartbeat(id, heard::add);
    heartbeat.start();
    return heartbeat;
  }
}
