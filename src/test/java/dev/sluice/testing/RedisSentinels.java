package dev.sluice.testing;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A real primary with a replica, and three sentinels that watch them. */
public final class RedisSentinels implements AutoCloseable {
  private final RedisProcess primary = RedisProcess.start();
  private final RedisProcess replica =
      RedisProcess.with("--replicaof", "127.0.0.1 " + primary.port());
  private final List<RedisProcess> sentinels = new ArrayList<>();

  /** Starts them; the sentinels keep their files in the directory. */
  public static RedisSentinels start(Path directory) {
    return new RedisSentinels(directory);
  }

  private RedisSentinels(Path directory) {
    until(
        () ->
            replica
                .ask(commands -> commands.info("replication"))
                .contains("master_link_status:up"));
    for (int i = 0; i < 3; i++) {
      sentinels.add(RedisProcess.sentinel(configuration(directory.resolve("sentinel" + i))));
    }
    until(
        () ->
            sentinels.stream()
                .allMatch(
                    it -> {
                      String info = it.ask(commands -> commands.info("sentinel"));
                      return info.contains("slaves=1") && info.contains("sentinels=3");
                    }));
  }

  private Path configuration(Path file) {
    try {
      return Files.writeString(
          file,
          String.join(
              "\n",
              "sentinel monitor mymaster 127.0.0.1 " + primary.port() + " 2",
              "sentinel down-after-milliseconds mymaster 500",
              "sentinel failover-timeout mymaster 2000",
              ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The primary at first. */
  public RedisProcess primary() {
    return primary;
  }

  /** Its replica at first. */
  public RedisProcess replica() {
    return replica;
  }

  /** Makes the replica the primary while both are well, as an operator does. */
  public void failOver() {
    sentinels
        .get(0)
        .tell(
            commands ->
                commands.dispatch(
                    CommandType.SENTINEL,
                    new StatusOutput<>(StringCodec.UTF8),
                    new CommandArgs<>(StringCodec.UTF8).add("FAILOVER").add("mymaster")));
  }

  /** What REDIS_URL is set to. */
  public String url() {
    return "mymaster," + sentinels.stream().map(RedisProcess::url).collect(Collectors.joining(","));
  }

  private static void until(java.util.concurrent.Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(50)).until(condition);
  }

  @Override
  public void close() {
    sentinels.forEach(RedisProcess::close);
    replica.close();
    primary.close();
  }
}
