package dev.sluice.bench;

import dev.sluice.bench.Figures.Column;
import dev.sluice.load.Messages;
import dev.sluice.load.OpenLoop;
import dev.sluice.transport.EventLoops;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;

/** Whether memory grows while a server does for a long time what it does every day. */
final class Growth {
  private static final int CONNECTIONS = 4;
  private static final int MOST_A_SECOND = 5_000;
  private static final int LOOKS = 6;
  private static final double BYTES_PER_MIB = 1 << 20;

  private final Effort effort;
  private final int rate;
  private final Redis redis;
  private final EventLoops loops;
  private final Figures figures =
      Figures.of(
          "growth",
          "Memory while Zipf keys are asked for at even intervals",
          new Column("minutes", "minutes", 1),
          new Column("calls", "calls", 0),
          new Column("failed", "failed", 0),
          new Column("stand_in", "stand-in", 0),
          new Column("resident_mib", "RSS MiB", 0),
          new Column("live_heap_mib", "live heap", 1),
          new Column("redis_mib", "Redis MiB", 0));

  /**
   * A measurement.
   *
   * @param loops of the load, of one thread
   */
  Growth(Effort effort, Redis redis, EventLoops loops) {
    this.effort = effort;
    this.rate = Math.min(MOST_A_SECOND, Collections.max(effort.rates()));
    this.redis = redis;
    this.loops = loops;
  }

  /** What was found so far. */
  Figures figures() {
    return figures;
  }

  /** Looks at a server several times, the first time once it is warm. */
  void measure(Server server) {
    Messages messages = Scenario.GROWTH.messages(effort.keys());
    run(server, messages, effort.warm(), new Tally());
    look(0, server, new Tally());
    Duration part = effort.growth().dividedBy(LOOKS);
    for (int i = 1; i <= LOOKS; i++) {
      Tally tally = new Tally();
      run(server, messages, part, tally);
      look(i, server, tally);
    }
  }

  private void run(Server server, Messages messages, Duration length, Tally tally) {
    int calls = (int) Math.max(1, rate * length.toMillis() / Duration.ofSeconds(1).toMillis());
    OpenLoop.Shape shape = new OpenLoop.Shape(CONNECTIONS, rate, calls);
    try (OpenLoop load = new OpenLoop(shape, messages, tally)) {
      load.run(server.target(), loops).toCompletableFuture().join();
    }
    tally.refuseSilence();
  }

  private void look(int part, Server server, Tally tally) {
    double minutes = effort.growth().toSeconds() / 60.0 * part / LOOKS;
    Map<String, Double> line = figures.add("growth-" + part).figures();
    line.put("minutes", minutes);
    line.put("calls", (double) tally.answered());
    line.put("failed", (double) tally.failed());
    line.put("stand_in", server.standInDecisions());
    line.put("resident_mib", server.residentBytes() / BYTES_PER_MIB);
    line.put("live_heap_mib", server.jvm().liveBytes() / BYTES_PER_MIB);
    line.put("redis_mib", redis.settledBytes() / BYTES_PER_MIB);
  }
}
