package dev.sluice;

import static dev.sluice.UnderLoad.PER_SECOND;
import static dev.sluice.UnderLoad.eventually;
import static dev.sluice.UnderLoad.soon;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.UnderLoad.Fault;
import dev.sluice.testing.RedisCluster;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.RedisSentinels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server under load while another Redis becomes the primary. The order of a test's steps saves
 * starting everything again.
 */
class FailoverIT {
  @TempDir private Path scratch;
  @TempDir private Path rules;

  @Test
  void anotherPrimaryThatSentinelsName() throws IOException {
    try (RedisSentinels redis = RedisSentinels.start(scratch);
        UnderLoad load =
            new UnderLoad(rules, Map.of("REDIS_TYPE", "sentinel", "REDIS_URL", redis.url()))) {
      Fault planned = load.fault("sentinel: planned");
      redis.failOver();
      eventually().until(() -> isPrimary(redis.replica()));
      soon().ignoreExceptions().until(() -> hasOurs(redis.replica()));
      // It goes on as a primary for ten seconds, so no call that failed has told of the other one.
      assertThat(isPrimary(redis.primary())).isTrue();
      planned.isOver(1);
      assertThat(planned.degraded()).isLessThan(PER_SECOND);
      eventually().ignoreExceptions().until(() -> !isPrimary(redis.primary()));

      Fault killed = load.fault("sentinel: kill -9 of the primary");
      redis.replica().kill();
      eventually().ignoreExceptions().until(() -> isPrimary(redis.primary()));
      killed.isOver(1);
      load.assertNothingIsLostAndNothingGrew();
    }
  }

  @Test
  void anotherPrimaryOfSomeSlots() throws Exception {
    try (RedisCluster redis = RedisCluster.start(scratch);
        UnderLoad load =
            new UnderLoad(rules, Map.of("REDIS_TYPE", "cluster", "REDIS_URL", redis.url()))) {
      Fault moved = load.fault("cluster: slots move");
      redis.move(300);
      moved.isOver(0);
      // A slow machine may be late, but nothing is refused.
      assertThat(moved.failures().keySet()).isSubsetOf("timeout", "waited", "breaker_open", "shed");

      Fault planned = load.fault("cluster: planned");
      redis.node(3).tell(commands -> commands.clusterFailover(false));
      eventually().until(() -> isPrimary(redis.node(3)));
      planned.isOver(1);

      Fault killed = load.fault("cluster: kill -9 of a primary");
      redis.node(1).kill();
      eventually().until(() -> isPrimary(redis.node(4)));
      killed.isOver(1);

      Fault hangs = load.fault("cluster: SIGSTOP of a primary");
      redis.node(2).pause();
      eventually().until(() -> isPrimary(redis.node(5)));
      hangs.isOver(1);
      redis.node(2).resume();
      load.assertNothingIsLostAndNothingGrew();
    }
  }

  private static boolean isPrimary(RedisProcess redis) {
    return redis.ask(commands -> commands.info("replication")).contains("role:master");
  }

  private static boolean hasOurs(RedisProcess redis) {
    return redis
        .ask(commands -> commands.clientList())
        .lines()
        .anyMatch(line -> line.contains("name=sluice") && line.contains("cmd=eval"));
  }
}
