package dev.sluice.bench;

import dev.sluice.bench.Figures.Column;
import dev.sluice.load.ClosedLoop;
import dev.sluice.transport.EventLoops;
import java.time.Duration;
import java.util.Map;

/**
 * What many different keys take: in Sluice, and in Redis beside what other algorithms would take
 * for as many callers with keys of that length.
 */
final class Memory {
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final double BYTES_PER_MIB = 1 << 20;

  /** So many entries of a log, which is exact for a limit of that size. */
  private static final int LOGGED = 100;

  /** A log is so large that fewer of them have to do. */
  private static final int KEYS_FOR_EACH_LOG = 100;

  private static final String COUNTERS =
      """
      for i = ARGV[2], ARGV[3] do
        redis.call('SET', ARGV[1] .. string.format('%024d', i), 1, 'EX', 86400)
      end
      """;
  private static final String LOGS =
      """
      for i = ARGV[2], ARGV[3] do
        local key = ARGV[1] .. string.format('%024d', i)
        for j = 1, ARGV[4] do
          redis.call('ZADD', key, 1790000000000000 + j, string.format('%016d', 1790000000000000 + j))
        end
        redis.call('EXPIRE', key, 86400)
      end
      """;
  private static final int KEYS_FOR_EACH_SCRIPT = 1_000;

  private final Effort effort;
  private final Redis redis;
  private final EventLoops loops;
  private final Figures figures =
      Figures.of(
          "memory",
          "Memory after many different keys",
          new Column("keys", "keys", 0),
          new Column("redis_bytes_per_key", "Redis B/key", 0),
          new Column("resident_before_mib", "RSS before", 0),
          new Column("resident_mib", "RSS MiB", 0),
          new Column("live_heap_mib", "live heap", 0));

  /**
   * A measurement.
   *
   * @param loops of the load, of one thread
   */
  Memory(Effort effort, Redis redis, EventLoops loops) {
    this.effort = effort;
    this.redis = redis;
    this.loops = loops;
  }

  /** What was found so far. */
  Figures figures() {
    return figures;
  }

  /** Measures a server, then what the others would take. */
  void measure(Server server) {
    Map<String, Double> line = figures.add(Scenario.MEMORY.id()).figures();
    line.put("resident_before_mib", server.residentBytes() / BYTES_PER_MIB);
    double before = redis.settledBytes();
    Tally tally = new Tally();
    try (ClosedLoop load = new ClosedLoop(effort.shape(), new Requests.Distinct(), tally)) {
      load.begin(server.target(), loops).toCompletableFuture().join();
      while (tally.answered() < effort.distinct()) {
        tally.refuseSilence();
        Pause.of(LOOK);
      }
      load.stop();
    }
    long keys = tally.answered();
    line.put("keys", (double) keys);
    line.put("redis_bytes_per_key", (redis.settledBytes() - before) / keys);
    line.put("resident_mib", server.residentBytes() / BYTES_PER_MIB);
    line.put("live_heap_mib", server.jvm().liveBytes() / BYTES_PER_MIB);
    redis.clear();
    compare("fixed-window counter", COUNTERS, effort.distinct());
    compare("sorted-set log of " + LOGGED, LOGS, effort.distinct() / KEYS_FOR_EACH_LOG);
  }

  private void compare(String name, String script, int keys) {
    double before = redis.settledBytes();
    String key = Requests.bucketName(Redis.PREFIX);
    for (int first = 0; first < keys; first += KEYS_FOR_EACH_SCRIPT) {
      int last = Math.min(keys, first + KEYS_FOR_EACH_SCRIPT) - 1;
      redis.run(script, key, String.valueOf(first), String.valueOf(last), String.valueOf(LOGGED));
    }
    Map<String, Double> line = figures.add(name).figures();
    line.put("keys", (double) keys);
    line.put("redis_bytes_per_key", (redis.settledBytes() - before) / keys);
    redis.clear();
  }
}
