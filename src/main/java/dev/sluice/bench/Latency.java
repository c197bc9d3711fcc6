package dev.sluice.bench;

import dev.sluice.bench.Figures.Column;
import dev.sluice.load.Messages;
import dev.sluice.load.OpenLoop;
import dev.sluice.transport.EventLoops;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How long calls take that are made at even intervals, whatever the server does. */
final class Latency {
  private static final int CONNECTIONS = 4;
  private static final int FIRST_CALLS = 2_000;
  private static final int FIRST_RATE = 500;
  private static final int WARM_RATE = 5_000;
  private static final int WARM_CALLS = 20_000;

  private final Effort effort;
  private final EventLoops loops;
  private final Figures figures =
      Figures.of(
          "latency",
          "Calls at even intervals, each timed from when it was due (ms)",
          new Column("p50_ms", "p50", 2),
          new Column("p99_ms", "p99", 2),
          new Column("p999_ms", "p99.9", 2),
          new Column("max_ms", "max", 2),
          new Column("calls", "calls", 0),
          new Column("failed", "failed", 0),
          new Column("start_ms", "start", 0));

  private @Nullable Messages messages;

  /**
   * A measurement.
   *
   * @param loops of the load, of one thread
   */
  Latency(Effort effort, EventLoops loops) {
    this.effort = effort;
    this.loops = loops;
  }

  /** What was found so far. */
  Figures figures() {
    return figures;
  }

  /**
   * Measures a server at every rate; it is warmed at each of them.
   *
   * @param name of the lines, before the rate
   */
  void measureRates(String name, Server server) {
    for (int rate : effort.rates()) {
      run(server, rate, calls(rate, effort.warm().toMillis()));
      Map<String, Double> line = figures.add(name + "-" + rate).figures();
      fill(line, run(server, rate, calls(rate, effort.measured().toMillis())));
    }
  }

  /** Makes calls that are not counted, so that it is not this process that is cold. */
  void warm(Server server) {
    run(server, WARM_RATE, WARM_CALLS);
  }

  /** Measures the first calls of a server that has just become ready. */
  void measureFirst(Server server) {
    Map<String, Double> line = figures.add(Scenario.FIRST.id()).figures();
    fill(line, run(server, FIRST_RATE, FIRST_CALLS));
    line.put("start_ms", (double) server.start().toMillis());
  }

  /** Made once: there are many of them. */
  private Messages messages() {
    Messages known = messages;
    if (known == null) {
      known = Scenario.LATENCY.messages(effort.keys());
      messages = known;
    }
    return known;
  }

  private static int calls(int rate, long millis) {
    return (int) Math.max(1, rate * millis / TimeUnit.SECONDS.toMillis(1));
  }

  private Tally run(Server server, int rate, int calls) {
    Tally tally = new Tally();
    Messages messages = messages();
    // Rather now than while calls are due.
    System.gc();
    OpenLoop.Shape shape = new OpenLoop.Shape(CONNECTIONS, rate, calls);
    try (OpenLoop load = new OpenLoop(shape, messages, tally)) {
      load.run(server.target(), loops).toCompletableFuture().join();
    }
    tally.refuseSilence();
    return tally;
  }

  private static void fill(Map<String, Double> line, Tally tally) {
    line.put("p50_ms", tally.millis(50));
    line.put("p99_ms", tally.millis(99));
    line.put("p999_ms", tally.millis(99.9));
    line.put("max_ms", tally.longestMillis());
    line.put("calls", (double) tally.answered());
    line.put("failed", (double) tally.failed());
  }
}
