package dev.sluice.bench;

import dev.sluice.bench.Figures.Column;
import dev.sluice.load.Messages;
import dev.sluice.load.OpenLoop;
import dev.sluice.transport.EventLoops;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long calls take that are made at even intervals, whatever the server does. */
final class Latency {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int CONNECTIONS = 4;
  private static final int FIRST_CALLS = 2_000;
  private static final int FIRST_RATE = 500;

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
    Messages messages = Scenario.LATENCY.messages(effort.keys());
    for (int rate : effort.rates()) {
      run(server, messages, rate, calls(rate, effort.warm().toMillis()));
      Map<String, Double> line = figures.add(name + "-" + rate).figures();
      fill(line, run(server, messages, rate, calls(rate, effort.measured().toMillis())));
    }
  }

  /** Measures the first calls of a server that has just become ready. */
  void measureFirst(Server server) {
    Map<String, Double> line = figures.add(Scenario.FIRST.id()).figures();
    fill(line, run(server, Scenario.FIRST.messages(effort.keys()), FIRST_RATE, FIRST_CALLS));
    line.put("start_ms", (double) server.start().toMillis());
  }

  private static int calls(int rate, long millis) {
    return (int) Math.max(1, rate * millis / TimeUnit.SECONDS.toMillis(1));
  }

  private Tally run(Server server, Messages messages, int rate, int calls) {
    Tally tally = new Tally();
    OpenLoop.Shape shape = new OpenLoop.Shape(CONNECTIONS, rate, calls);
    try (OpenLoop load = new OpenLoop(shape, messages, tally)) {
      load.run(server.target(), loops).toCompletableFuture().join();
    }
    tally.refuseSilence();
    return tally;
  }

  private static void fill(Map<String, Double> line, Tally tally) {
    Histogram nanos = tally.nanos();
    line.put("p50_ms", nanos.getValueAtPercentile(50) / NANOS_PER_MILLI);
    line.put("p99_ms", nanos.getValueAtPercentile(99) / NANOS_PER_MILLI);
    line.put("p999_ms", nanos.getValueAtPercentile(99.9) / NANOS_PER_MILLI);
    line.put("max_ms", nanos.getMaxValue() / NANOS_PER_MILLI);
    line.put("calls", (double) nanos.getTotalCount());
    line.put("failed", (double) tally.failed());
  }
}
