package dev.sluice.testing;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A real cluster of three primaries, each with a replica. */
public final class RedisCluster implements AutoCloseable {
  private static final int SLOTS = 16_384;
  private static final int PRIMARIES = 3;

  private final List<RedisProcess> nodes = new ArrayList<>();

  /** Starts one, empty; its nodes keep their files in the directory. */
  public static RedisCluster start(Path directory) {
    RedisCluster cluster = new RedisCluster();
    try {
      for (int i = 0; i < 2 * PRIMARIES; i++) {
        cluster.nodes.add(RedisProcess.node(directory));
      }
      cluster.meet();
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private RedisCluster() {}

  private void meet() {
    for (int i = 0; i < PRIMARIES; i++) {
      int[] slots = IntStream.range(SLOTS * i / PRIMARIES, SLOTS * (i + 1) / PRIMARIES).toArray();
      nodes.get(i).tell(commands -> commands.clusterAddSlots(slots));
    }
    for (RedisProcess node : nodes.subList(1, nodes.size())) {
      nodes.get(0).tell(commands -> commands.clusterMeet("127.0.0.1", node.port()));
    }
    for (int i = 0; i < PRIMARIES; i++) {
      String primary = id(i);
      RedisProcess replica = nodes.get(PRIMARIES + i);
      until(() -> replica.ask(commands -> commands.clusterNodes()).contains(primary));
      replica.tell(commands -> commands.clusterReplicate(primary));
    }
    until(
        () ->
            nodes.stream()
                .allMatch(
                    node -> {
                      String known = node.ask(commands -> commands.clusterNodes());
                      return known.lines().filter(line -> line.contains("slave")).count() == 3
                          && node.ask(commands -> commands.clusterInfo())
                              .contains("cluster_state:ok");
                    }));
    until(
        () ->
            nodes.stream()
                .skip(PRIMARIES)
                .allMatch(
                    node ->
                        node.ask(commands -> commands.info("replication"))
                            .contains("master_link_status:up")));
  }

  /** Moves slots of the first primary to the second, with the keys in them, one after the other. */
  public void move(int slots) {
    RedisProcess from = nodes.get(0);
    RedisProcess to = nodes.get(1);
    for (int i = 0; i < slots; i++) {
      int slot = i;
      to.tell(commands -> commands.clusterSetSlotImporting(slot, id(0)));
      from.tell(commands -> commands.clusterSetSlotMigrating(slot, id(1)));
      List<String> keys = from.ask(commands -> commands.clusterGetKeysInSlot(slot, 1_000));
      for (String key : keys) {
        from.tell(commands -> commands.migrate("127.0.0.1", to.port(), key, 0, 1_000));
      }
      for (RedisProcess node : List.of(to, from, nodes.get(2))) {
        node.tell(commands -> commands.clusterSetSlotNode(slot, id(1)));
      }
    }
  }

  /** A node; those below three are primaries at first, and have their replica three further on. */
  public RedisProcess node(int index) {
    return nodes.get(index);
  }

  /** Places of all nodes, as REDIS_URL has them. */
  public String url() {
    return nodes.stream().map(RedisProcess::url).collect(Collectors.joining(","));
  }

  private String id(int node) {
    return nodes.get(node).ask(commands -> commands.clusterMyId());
  }

  private static void until(java.util.concurrent.Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(50)).until(condition);
  }

  @Override
  public void close() {
    nodes.forEach(RedisProcess::close);
  }
}
