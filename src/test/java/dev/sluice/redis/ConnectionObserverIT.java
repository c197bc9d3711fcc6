package dev.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.testing.RedisProcess;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** What is told of connections while a Redis goes and comes back. */
class ConnectionObserverIT {
  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void eachConnectionIsToldOnceWhenItComesAndOnceWhenItGoes() {
    try (RedisProcess redis = RedisProcess.start();
        RedisFixture fixture = new RedisFixture(redis, RedisScripts.load(), 100).connected()) {
      RecordingObserver told = fixture.observer;
      await().atMost(LONG).until(() -> told.opened.get() == 1);
      assertThat(told.closed).hasValue(0);

      redis.kill();
      await().atMost(LONG).until(() -> told.closed.get() == 1);
      assertThat(told.opened).hasValue(1);

      redis.restart();
      await().atMost(LONG).until(() -> told.opened.get() == 2);
      assertThat(told.closed).hasValue(1);
    }
  }

  @Test
  void aServerThatAnswersOnANewConnectionIsToldOf() {
    try (RedisProcess redis = RedisProcess.start();
        RedisFixture fixture = new RedisFixture(redis, RedisScripts.load(), 100).connected()) {
      redis.kill();
      await().atMost(LONG).until(() -> fixture.observer.closed.get() == 1);
      Queue<String> answering = new ConcurrentLinkedQueue<>();
      fixture.link().onAnswer(answering::add);
      redis.restart();
      await().atMost(LONG).until(() -> answering.contains(redis.url()));
    }
  }
}
