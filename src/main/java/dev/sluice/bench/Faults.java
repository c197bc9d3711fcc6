package dev.sluice.bench;

import dev.sluice.bench.Figures.Column;
import dev.sluice.load.Answers;
import dev.sluice.load.Messages;
import dev.sluice.load.OpenLoop;
import dev.sluice.load.Target;
import dev.sluice.transport.EventLoops;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What callers see of faults of Redis: calls at even intervals with Envoy's own deadline of 20 ms,
 * before, during and after each.
 */
final class Faults {
  private static final int CONNECTIONS = 4;
  private static final int KEYS = 2_000;
  private static final int MOST_A_SECOND = 5_000;
  private static final List<Target.Header> DEADLINE =
      List.of(new Target.Header("grpc-timeout", "20m"));
  private static final Duration BEFORE = Duration.ofSeconds(3);
  private static final Duration AFTER = Duration.ofSeconds(5);
  private static final Duration SLACK = Duration.ofSeconds(2);
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final double FEW = 0.01;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_MIB = 1 << 20;

  private final Effort effort;
  private final int rate;
  private final EventLoops loops;
  private final Messages messages = Requests.zipf(KEYS);
  private final Figures figures =
      Figures.of(
          "faults",
          "Faults of Redis: calls with a deadline of 20 ms, timed from when they were due (ms)",
          new Column("before_p99_ms", "p99 before", 2),
          new Column("p50_ms", "p50", 2),
          new Column("p99_ms", "p99", 2),
          new Column("p999_ms", "p99.9", 2),
          new Column("max_ms", "max", 2),
          new Column("after_p999_ms", "p99.9 after", 2),
          new Column("failed", "failed", 0),
          new Column("stand_in", "stand-in", 2),
          new Column("back_s", "back, s", 2),
          new Column("resident_mib", "RSS MiB", 0));

  /**
   * A measurement.
   *
   * @param effort no stretch of a fault lasts longer than one of its measurements
   * @param loops of the load, of one thread
   */
  Faults(Effort effort, EventLoops loops) {
    this.effort = effort;
    this.rate = Math.min(MOST_A_SECOND, Collections.max(effort.rates()));
    this.loops = loops;
  }

  /** What was found so far. */
  Figures figures() {
    return figures;
  }

  /** Counts calls by the phase in which they ended. */
  private static final class Phases implements Answers {
    private volatile Tally current = new Tally();

    Tally next() {
      Tally tally = new Tally();
      current = tally;
      return tally;
    }

    @Override
    public void answered(long nanos, ByteBuf message) {
      current.answered(nanos, message);
    }

    @Override
    public void failed(String reason) {
      current.failed(reason);
    }
  }

  /** Measures every fault on a server. */
  void measure(Server server, FaultyRedis redis) {
    begin(server, new Phases(), effort.warm()).join();
    for (Fault fault : Fault.all()) {
      measure(fault, server, redis);
    }
  }

  private void measure(Fault fault, Server server, FaultyRedis redis) {
    Phases phases = new Phases();
    Duration length = most(BEFORE).plus(most(fault.length())).plus(most(AFTER)).plus(most(SLACK));
    CompletableFuture<Void> load = begin(server, phases, length);
    Tally before = phases.next();
    Pause.of(most(BEFORE));
    double standIns = server.standInDecisions();
    Tally during = phases.next();
    last(fault, redis);
    standIns = server.standInDecisions() - standIns;
    Tally after = phases.next();
    double back = back(server, after);
    load.join();
    Map<String, Double> line = figures.add(fault.name()).figures();
    line.put("before_p99_ms", before.millis(99));
    line.put("p50_ms", during.millis(50));
    line.put("p99_ms", during.millis(99));
    line.put("p999_ms", during.millis(99.9));
    line.put("max_ms", during.longestMillis());
    line.put("after_p999_ms", after.millis(99.9));
    line.put("failed", (double) before.failed() + during.failed() + after.failed());
    line.put("stand_in", standIns / Math.max(1, during.answered()));
    line.put("back_s", back);
    line.put("resident_mib", server.residentBytes() / BYTES_PER_MIB);
  }

  private Duration most(Duration length) {
    return effort.measured().compareTo(length) < 0 ? effort.measured() : length;
  }

  private CompletableFuture<Void> begin(Server server, Answers answers, Duration length) {
    int calls = (int) (rate * length.toMillis() / TimeUnit.SECONDS.toMillis(1));
    OpenLoop load = new OpenLoop(new OpenLoop.Shape(CONNECTIONS, rate, calls), messages, answers);
    Target target = server.target();
    return load.run(new Target(target.address(), target.path(), DEADLINE), loops)
        .whenComplete((it, error) -> load.close())
        .toCompletableFuture();
  }

  private void last(Fault fault, FaultyRedis redis) {
    long end = System.nanoTime() + most(fault.length()).toNanos();
    fault.begin().accept(redis);
    while (System.nanoTime() - end < 0) {
      fault.again().accept(redis);
      Pause.of(fault.pause());
    }
    fault.end().accept(redis);
  }

  /**
   * Seconds from now to the last look that saw more than a call in a hundred decided without Redis:
   * a single one may be late at any time.
   *
   * @param answers of the calls from now on
   */
  private double back(Server server, Tally answers) {
    long begin = System.nanoTime();
    long last = begin;
    double standIns = server.standInDecisions();
    long answered = answers.answered();
    while (System.nanoTime() - begin < most(AFTER).toNanos()) {
      Pause.of(LOOK);
      double standInsNow = server.standInDecisions();
      long answeredNow = answers.answered();
      if (standInsNow - standIns > FEW * (answeredNow - answered)) {
        last = System.nanoTime();
      }
      standIns = standInsNow;
      answered = answeredNow;
    }
    return (last - begin) / NANOS_PER_SECOND;
  }
}
