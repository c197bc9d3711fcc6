package dev.sluice.bench;

import dev.sluice.bench.Figures.Column;
import dev.sluice.load.ClosedLoop;
import dev.sluice.load.Messages;
import dev.sluice.transport.EventLoops;
import java.util.Map;
import java.util.Optional;

/** How much a server can take, and what each decision costs it and Redis. */
final class Throughput {
  private final Effort effort;
  private final Redis redis;
  private final EventLoops loops;
  private final Optional<H2load> h2load;
  private final Figures figures =
      Figures.of(
          "throughput",
          "As many calls as the server takes",
          new Column("calls_per_second", "calls/s", 0),
          new Column("ratio", "of ceiling", 2),
          new Column("redis_calls", "Redis calls", 4),
          new Column("redis_micros", "Redis µs", 2),
          new Column("server_micros", "server µs", 2),
          new Column("allocated_bytes", "bytes", 0),
          new Column("denied", "denied", 2),
          new Column("stand_in", "stand-in", 2),
          new Column("failed", "failed", 0),
          new Column("client_busy", "client busy", 2),
          new Column("h2load_calls_per_second", "h2load/s", 0));

  private double ceiling = Double.NaN;

  /**
   * A measurement.
   *
   * @param loops of the load, of one thread
   * @param h2load measures again where requests are all alike
   */
  Throughput(Effort effort, Redis redis, EventLoops loops, Optional<H2load> h2load) {
    this.effort = effort;
    this.redis = redis;
    this.loops = loops;
    this.h2load = h2load;
  }

  /** What was found so far. */
  Figures figures() {
    return figures;
  }

  /** Measures a scenario on a server. */
  void measure(Scenario scenario, Server server) {
    Map<String, Double> line = figures.add(scenario.id()).figures();
    Tally tally = load(scenario, server, line);
    if (scenario == Scenario.NOTHING) {
      ceiling = line.getOrDefault("calls_per_second", Double.NaN);
    }
    line.put("ratio", line.getOrDefault("calls_per_second", Double.NaN) / ceiling);
    line.put("denied", tally.denied() / (double) tally.answered());
    line.put("failed", (double) tally.failed());
    h2load.ifPresent(
        other ->
            scenario
                .message()
                .ifPresent(body -> other.measure(server, body, shaped(scenario), line)));
  }

  private Tally load(Scenario scenario, Server server, Map<String, Double> line) {
    Tally tally = new Tally();
    Messages messages = scenario.messages(effort.keys());
    try (ClosedLoop load = new ClosedLoop(shaped(scenario).shape(), messages, tally)) {
      load.begin(server.target(), loops).toCompletableFuture().join();
      Pause.of(effort.warm());
      Sample begin = Sample.of(server, Optional.of(redis), tally);
      Pause.of(effort.measured());
      Sample.of(server, Optional.of(redis), tally).since(begin, line);
      load.stop();
    }
    tally.refuseSilence();
    return tally;
  }

  private Effort shaped(Scenario scenario) {
    return effort.with(scenario.shape(effort.shape()));
  }
}
