package dev.sluice.bench;

import dev.sluice.bench.Figures.Column;
import dev.sluice.load.ClosedLoop;
import dev.sluice.load.Messages;
import dev.sluice.transport.EventLoops;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** How much a server can take, and what each decision costs it and Redis. */
final class Throughput {
  private static final int SLICES = 5;
  private static final Duration RAMP = Duration.ofMillis(200);
  private static final double NONE = Double.NaN;
  private static final double NANOS_PER_SECOND = 1e9;

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

  /**
   * Warms the server of the ceiling, and measures what it can take by itself.
   *
   * @throws BenchException if it does not answer
   */
  void measure(Server ceiling) {
    Map<String, Double> line = figures.add(Scenario.NOTHING.id()).figures();
    Tally tally = new Tally();
    measure(Scenario.NOTHING, ceiling, tally, line, () -> NONE);
    line.put("ratio", 1.0);
    h2load(Scenario.NOTHING, ceiling, line);
  }

  /**
   * Measures a scenario on a server, and the ceiling in turns with it: what a machine can do
   * changes from one minute to the next, and less so from one second to the next.
   */
  void measure(Scenario scenario, Server server, Server ceiling) {
    Map<String, Double> line = figures.add(scenario.id()).figures();
    Tally tally = new Tally();
    Tally other = new Tally();
    Calls nothing = calls(Scenario.NOTHING);
    double ratio =
        measure(scenario, server, tally, line, () -> slice(nothing, ceiling, other, length()));
    line.put("ratio", ratio);
    h2load(scenario, server, line);
  }

  /**
   * Measures in slices.
   *
   * @param ceiling calls per second of the do-nothing handler, measured before each slice
   * @return the middle one of the slices' ratios to the ceiling
   */
  private double measure(
      Scenario scenario,
      Server server,
      Tally tally,
      Map<String, Double> line,
      DoubleSupplier ceiling) {
    Calls calls = calls(scenario);
    slice(calls, server, tally, effort.warm());
    double[] rates = new double[SLICES];
    double[] ratios = new double[SLICES];
    Sample begin = Sample.of(server, Optional.of(redis), tally);
    long clientNanos = 0;
    for (int i = 0; i < SLICES; i++) {
      double most = ceiling.getAsDouble();
      long before = Sample.clientNanos();
      rates[i] = slice(calls, server, tally, length());
      clientNanos += Sample.clientNanos() - before;
      ratios[i] = rates[i] / most;
    }
    tally.refuseSilence();
    Sample.of(server, Optional.of(redis), tally).since(begin, line);
    line.put("calls_per_second", median(rates));
    line.put("client_busy", clientNanos / (double) effort.measured().plus(ramps()).toNanos());
    line.put("denied", tally.denied() / (double) tally.answered());
    line.put("failed", (double) tally.failed());
    return median(ratios);
  }

  private Duration length() {
    return effort.measured().dividedBy(SLICES);
  }

  /** What is sent, and how many are under way. */
  private record Calls(Messages messages, ClosedLoop.Shape shape) {}

  private Calls calls(Scenario scenario) {
    return new Calls(scenario.messages(effort.keys()), shaped(scenario).shape());
  }

  /** Calls per second of one stretch of load. */
  private double slice(Calls calls, Server server, Tally tally, Duration length) {
    try (ClosedLoop load = new ClosedLoop(calls.shape(), calls.messages(), tally)) {
      load.begin(server.target(), loops).toCompletableFuture().join();
      Pause.of(RAMP);
      long answered = tally.answered();
      long nanos = System.nanoTime();
      Pause.of(length);
      double rate = (tally.answered() - answered) * NANOS_PER_SECOND / (System.nanoTime() - nanos);
      load.stop();
      Pause.of(RAMP);
      return rate;
    }
  }

  private static Duration ramps() {
    return RAMP.multipliedBy(2L * SLICES);
  }

  private static double median(double[] numbers) {
    double[] sorted = numbers.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private void h2load(Scenario scenario, Server server, Map<String, Double> line) {
    h2load.ifPresent(
        it ->
            scenario.message().ifPresent(body -> it.measure(server, body, shaped(scenario), line)));
  }

  private Effort shaped(Scenario scenario) {
    return effort.with(scenario.shape(effort.shape()));
  }
}
