package dev.sluice;

import static dev.sluice.UnderLoad.PER_SECOND;
import static dev.sluice.UnderLoad.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.UnderLoad.Fault;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.Relay;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server under load while its one Redis does what a Redis may do.
 *
 * <p>One server goes through all faults, in any order, so what one of them leaves behind is seen by
 * the next.
 */
@TestInstance(Lifecycle.PER_CLASS)
class FaultsIT {
  /** Slow enough for a Redis that loads to be seen, and to be asked, while it does. */
  private static final String[] SLOW_TO_LOAD = {
    "--key-load-delay", "500",
    "--loading-process-events-interval-bytes", "1024",
    "--rdbcompression", "no"
  };

  private final RedisProcess redis;
  private final Relay network;
  private final Path snapshot;
  private UnderLoad load;

  FaultsIT(@TempDir Path directory) {
    snapshot = directory.resolve("dump.rdb");
    redis = RedisProcess.with(options(directory));
    network = new Relay(redis.port());
  }

  private static String[] options(Path directory) {
    return Stream.concat(Stream.of(SLOW_TO_LOAD), Stream.of("--dir", directory.toString()))
        .toArray(String[]::new);
  }

  @BeforeAll
  void startUnderLoad(@TempDir Path rules) throws IOException {
    load = new UnderLoad(rules, Map.of("REDIS_URL", network.url()));
  }

  @Test
  void redisIsKilledAndComesBackEmpty() {
    Fault fault = load.fault("killed, empty afterwards");
    redis.kill();
    fault.isAnsweredWithoutRedis(PER_SECOND);
    redis.restart();
    isOver(fault, 1);
  }

  @Test
  void redisHangsAndGoesOn() {
    Fault fault = load.fault("SIGSTOP");
    redis.pause();
    fault.isAnsweredWithoutRedis(PER_SECOND * 3);
    redis.resume();
    isOver(fault, 1);
  }

  @Test
  void redisPausesItsClients() {
    Fault fault = load.fault("CLIENT PAUSE");
    redis.tell(commands -> commands.clientPause(2_000));
    fault.isAnsweredWithoutRedis(PER_SECOND);
    isOver(fault, 1);
  }

  @Test
  void redisStallsAgainAndAgain() {
    Fault fault = load.fault("SIGSTOP, four times");
    for (int i = 0; i < 4; i++) {
      redis.pause();
      fault.isAnsweredWithoutRedis(PER_SECOND / 3);
      redis.resume();
      fault.isAnswered(PER_SECOND / 3);
    }
    isOver(fault, 1);
  }

  @Test
  void scriptsAreFlushedAllTheTime() {
    Fault fault = load.fault("SCRIPT FLUSH");
    for (int i = 0; i < 10; i++) {
      redis.tell(commands -> commands.scriptFlush());
      fault.isAnswered(PER_SECOND / 10);
    }
    isOver(fault, 0);
    assertThat(fault.failures("error")).isZero();
  }

  @Test
  void everythingIsDeleted() {
    Fault fault = load.fault("FLUSHALL");
    redis.tell(commands -> commands.flushall());
    fault.isAnswered(PER_SECOND);
    isOver(fault, 1);
    assertThat(fault.failures("error")).isZero();
  }

  @Test
  void redisIsFull() {
    Fault fault = load.fault("memory is full");
    redis.tell(commands -> commands.configSet("maxmemory", "1"));
    fault.isAnsweredWithoutRedis(PER_SECOND);
    redis.tell(commands -> commands.configSet("maxmemory", "0"));
    isOver(fault, 1);
    assertThat(fault.failures("out_of_memory")).isPositive();
  }

  @Test
  void redisIsAReplicaForAWhile() {
    Fault fault = load.fault("it is a replica for a while");
    redis.tell(commands -> commands.replicaof("127.0.0.1", 1));
    fault.isAnsweredWithoutRedis(PER_SECOND);
    redis.tell(commands -> commands.replicaofNoOne());
    isOver(fault, 1);
  }

  @Test
  void redisBecomesAReplicaAndItsNameLeadsToTheNewPrimary() {
    try (RedisProcess other = RedisProcess.start()) {
      Fault fault = load.fault("it becomes a replica, its name leads to another");
      redis.tell(commands -> commands.replicaof("127.0.0.1", other.port()));
      network.leadTo(other.port());
      eventually().until(() -> connections(other) == 1);
      fault.isOver(1);
      assertThat(fault.degraded()).isLessThan(PER_SECOND * 2);

      Fault back = load.fault("back to the first");
      redis.tell(commands -> commands.replicaofNoOne());
      network.leadTo(redis.port());
      other.kill();
      isOver(back, 1);
    }
  }

  @Test
  void thePasswordIsAnotherOneForAWhile() {
    Fault fault = load.fault("another password");
    redis.tell(
        commands -> {
          commands.configSet("requirepass", "open-sesame");
          commands
              .clientList()
              .lines()
              .filter(FaultsIT::isOurs)
              .map(FaultsIT::id)
              .forEach(id -> commands.clientKill(KillArgs.Builder.id(id)));
        });
    fault.isAnsweredWithoutRedis(PER_SECOND);
    redis.tell(commands -> commands.configSet("requirepass", ""));
    isOver(fault, 1);
    assertThat(load.log()).contains("NOAUTH").doesNotContain("open-sesame");
  }

  @Test
  void packetsAreLostWhileBothEndsBelieveThatTheyAreConnected() {
    Fault fault = load.fault("packets are lost");
    network.swallow();
    fault.isAnsweredWithoutRedis(PER_SECOND * 3);
    network.mend();
    isOver(fault, 1);
  }

  @Test
  void redisCannotSaveAndTakesNothingBeforeItCan() throws IOException {
    Fault fault = load.fault("it cannot save");
    Files.createDirectory(snapshot);
    redis.tell(
        commands -> {
          commands.configSet("save", "3600 1000000");
          commands.bgsave();
        });
    fault.isAnsweredWithoutRedis(PER_SECOND * 2);
    Files.delete(snapshot);
    redis.tell(commands -> commands.configSet("save", ""));
    isOver(fault, 1);
    assertThat(fault.failures("misconfigured")).isPositive();
  }

  @Test
  void redisLoadsForAWhileWhatItKnew() throws IOException {
    Fault fault = load.fault("it loads");
    redis.tell(
        commands -> {
          for (int i = 0; i < 4_000; i++) {
            commands.set("other:" + i, "x".repeat(500));
          }
          commands.save();
        });
    redis.kill();
    redis.restart();
    eventually().until(() -> fault.failures("loading") > 0);
    eventually()
        .until(() -> redis.ask(commands -> commands.info("persistence")).contains("\nloading:0"));
    Files.delete(snapshot);
    isOver(fault, 1);
    redis.tell(
        commands ->
            commands.eval(
                "for i = 0, 3999 do redis.call('DEL', 'other:' .. i) end",
                ScriptOutputType.STATUS));
  }

  @Test
  void aScriptOfSomebodyElseKeepsRedisBusy() {
    Fault fault = load.fault("a script of somebody else");
    RedisClient other = RedisClient.create("redis://" + redis.url());
    try (StatefulRedisConnection<String, String> connection = other.connect()) {
      redis.tell(commands -> commands.configSet("lua-time-limit", "50"));
      var unused = connection.async().eval("while true do end", ScriptOutputType.STATUS);
      eventually().until(() -> fault.failures("busy") > 0);
      redis.tell(commands -> commands.scriptKill());
    } finally {
      other.shutdown();
    }
    isOver(fault, 1);
  }

  @AfterAll
  void nothingIsLostAndNothingGrew() throws IOException {
    try (redis;
        network;
        UnderLoad ends = load) {
      ends.assertNothingIsLostAndNothingGrew();
    }
  }

  /** As it says, and there is one connection, as before. */
  private void isOver(Fault fault, int refills) {
    fault.isOver(refills);
    eventually().until(() -> connections(redis) == 1);
    assertThat(load.metrics().value("ratelimit_redis_pool_cx_active")).isEqualTo(1);
  }

  private static long connections(RedisProcess redis) {
    return redis.ask(it -> it.clientList()).lines().filter(FaultsIT::isOurs).count();
  }

  private static boolean isOurs(String client) {
    return client.contains("name=sluice");
  }

  private static long id(String client) {
    return Long.parseLong(client.replaceAll("^id=(\\d+).*", "$1"));
  }
}
