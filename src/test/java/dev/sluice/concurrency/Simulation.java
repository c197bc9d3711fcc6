package dev.sluice.concurrency;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;

/**
 * Several servers and the one Redis that they share, in virtual time: no threads, no clock, and the
 * same numbers each time.
 *
 * <p>Redis serves one call after the other. Each server asks its gate first; a call that Redis has
 * not answered in time is given up by its caller, while its permit is held until the answer comes.
 */
final class Simulation {
  private static final double SECOND = 1e9;

  private final SplittableRandom random = new SplittableRandom(7);
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<Call> calls = new ArrayList<>();
  private final World world;
  private long sequence;
  private double now;
  private double redisFreeAt;

  /** Something that happens; of two at one instant, the one that was planned first. */
  private record Event(double at, long order, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Double.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** A call that has ended, one way or the other. */
  private record Call(double start, double nanos, boolean refused) {}

  /**
   * What goes on.
   *
   * @param limiter makes the algorithm of each server
   * @param budget the time that a call has
   * @param serviceNanos what a call keeps Redis busy for, at a time in seconds
   * @param wayNanos what a call is on its way for besides, both ways together
   * @param jitterNanos the most that is added to that, evenly spread
   * @param batch how many calls in flight a server has at most, beyond which calls wait to go
   *     together; 0 where every call goes alone
   */
  record World(
      Supplier<Algorithm> limiter,
      Duration budget,
      DoubleUnaryOperator serviceNanos,
      double wayNanos,
      double jitterNanos,
      int batch) {}

  Simulation(World world) {
    this.world = world;
  }

  /** Servers that get so many requests a second each, for so many seconds. */
  Simulation open(int servers, double rate, double seconds) {
    for (int i = 0; i < servers; i++) {
      Server server = new Server();
      for (double at = next(rate); at < seconds * SECOND; at += next(rate)) {
        plan(at, () -> server.ask(() -> {}));
      }
    }
    run(seconds);
    return this;
  }

  /** One server with so many callers, who ask again as soon as they are answered. */
  Simulation closed(int callers, double thinkNanos, double seconds) {
    Server server = new Server();
    for (int i = 0; i < callers; i++) {
      plan(i * 1_000.0, new Caller(server, thinkNanos));
    }
    run(seconds);
    return this;
  }

  private final class Caller implements Runnable {
    private final Server server;
    private final double thinkNanos;

    Caller(Server server, double thinkNanos) {
      this.server = server;
      this.thinkNanos = thinkNanos;
    }

    @Override
    public void run() {
      server.ask(() -> plan(now + thinkNanos * (0.5 + random.nextDouble()), this));
    }
  }

  private double next(double rate) {
    return -Math.log(1 - random.nextDouble()) / rate * SECOND;
  }

  private void plan(double at, Runnable what) {
    events.add(new Event(at, sequence++, what));
  }

  private void run(double seconds) {
    while (!events.isEmpty() && events.element().at < seconds * SECOND) {
      Event event = events.remove();
      now = event.at;
      event.what.run();
    }
  }

  /** One server: its gate, and the calls that wait to go together. */
  private final class Server {
    private final Gate gate = new Gate(world.limiter.get());
    private final List<Runnable> waiting = new ArrayList<>();
    private int inFlight;

    void ask(Runnable answered) {
      int place = gate.enter(1);
      if (place == 0) {
        calls.add(new Call(now, 0, true));
        answered.run();
        return;
      }
      double start = now;
      double budget = world.budget.toNanos();
      boolean[] given = {false};
      Runnable giveAnswer =
          () -> {
            if (!given[0]) {
              given[0] = true;
              answered.run();
            }
          };
      plan(start + budget, giveAnswer);
      waiting.add(
          () -> {
            double nanos = now - start;
            gate.leave(place, (long) nanos, (long) now);
            calls.add(new Call(start, nanos, false));
            giveAnswer.run();
          });
      if (world.batch == 0 || inFlight < world.batch) {
        send();
      }
    }

    /** Sends all that wait as one call, of which each after the first costs a tenth. */
    private void send() {
      List<Runnable> group = List.copyOf(waiting);
      waiting.clear();
      inFlight++;
      double way = world.wayNanos + random.nextDouble() * world.jitterNanos;
      double service =
          world.serviceNanos.applyAsDouble(now / SECOND) * (1 + (group.size() - 1) / 10.0);
      double begin = Math.max(redisFreeAt, now + way / 2);
      redisFreeAt = begin + service;
      plan(
          redisFreeAt + way / 2,
          () -> {
            inFlight--;
            group.forEach(Runnable::run);
            if (world.batch > 0 && !waiting.isEmpty() && inFlight < world.batch) {
              send();
            }
          });
    }
  }

  /** What became of the calls that were made between two times, in seconds. */
  Outcome between(double from, double to) {
    List<Call> made =
        calls.stream()
            .filter(call -> call.start >= from * SECOND && call.start < to * SECOND)
            .toList();
    double budget = world.budget.toNanos();
    double refused = made.stream().filter(Call::refused).count();
    double[] answered =
        made.stream().filter(call -> !call.refused).mapToDouble(Call::nanos).sorted().toArray();
    double late = 0;
    for (double nanos : answered) {
      late += nanos > budget ? 1 : 0;
    }
    double p99 = answered.length == 0 ? 0 : answered[(int) (answered.length * 0.99)];
    double all = Math.max(1, made.size());
    return new Outcome(
        100 * (made.size() - refused - late) / all,
        100 * refused / all,
        100 * late / all,
        p99 / 1e6,
        made.size());
  }

  /**
   * Parts of the calls, in per cent.
   *
   * @param inTime answered by Redis while somebody waited
   * @param refused at once
   * @param late whose callers gave up
   * @param p99Millis of those that were not refused
   * @param calls how many there were
   */
  record Outcome(double inTime, double refused, double late, double p99Millis, int calls) {
    @Override
    public String toString() {
      return String.format(
          "%5.1f in time, %5.1f refused, %5.1f late, p99 %6.1f ms (%d)",
          inTime, refused, late, p99Millis, calls);
    }
  }
}
