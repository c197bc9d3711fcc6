package dev.sluice.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.testing.LeakyMeter;
import dev.sluice.testing.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By how much leases go beyond a limit, and below it, in virtual time over one shared store. */
class LeaseBoundTest {
  private static final long START = 1_790_000_000_000_000L;
  private static final int PERCENT = 10;

  /** Replicas, their store, and a meter over everything that they admit. */
  private static final class Fleet {
    private final TestClock clock = new TestClock(START);
    private final InMemoryBucketStore store = new InMemoryBucketStore(clock, clock.ticker(), 100);
    private final List<Replica> replicas = new ArrayList<>();
    private final Limit limit;
    private final LeakyMeter meter;

    Fleet(int size, Limit limit) {
      this.limit = limit;
      meter = new LeakyMeter(limit);
      for (int i = 0; i < size; i++) {
        replicas.add(replica(size));
      }
    }

    private Replica replica(int size) {
      return new Replica(store, clock, PERCENT, size, 100);
    }

    void pass(long micros) {
      clock.set(clock.micros() + micros);
    }

    boolean take(int index, long units) {
      boolean admitted = replicas.get(index).takes(limit, units);
      meter.admit(clock.micros() - START, admitted ? units : 0);
      return admitted;
    }

    /** One dies with what it holds, and another one comes in its place. */
    void kill(int index) {
      replicas.set(index, replica(replicas.size()));
    }

    long bound() {
      return limit.burst() * PERCENT / 100;
    }
  }

  /** One thing that happens. */
  private interface Event {
    void happen(Fleet fleet);
  }

  @Provide
  Arbitrary<List<Event>> schedules() {
    Arbitrary<Integer> who = Arbitraries.integers().between(0, 3);
    Arbitrary<Event> rush =
        Combinators.combine(
                who, Arbitraries.integers().between(1, 150), Arbitraries.longs().between(0, 20_000))
            .as(
                (index, times, pause) ->
                    fleet -> {
                      for (int i = 0; i < times; i++) {
                        fleet.take(index, 1 + i % 2);
                        fleet.pass(pause);
                      }
                    });
    Arbitrary<Event> pause =
        Arbitraries.longs().between(0, 2_500_000).map(it -> fleet -> fleet.pass(it));
    Arbitrary<Event> sweep = who.map(it -> fleet -> fleet.replicas.get(it).leases.giveBackEnded());
    Arbitrary<Event> kill = who.map(it -> fleet -> fleet.kill(it));
    Arbitrary<Event> wire =
        Combinators.combine(who, Arbitraries.of(Wire.Mode.class))
            .as((index, mode) -> fleet -> fleet.replicas.get(index).wire.mode = mode);
    Arbitrary<Event> refills =
        Combinators.combine(who, Arbitraries.of(Wire.Mode.class))
            .as((index, mode) -> fleet -> fleet.replicas.get(index).wire.refills = mode);
    Arbitrary<Event> deliver = who.map(it -> fleet -> fleet.replicas.get(it).wire.deliver());
    return Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(8, rush),
            net.jqwik.api.Tuple.of(5, pause),
            net.jqwik.api.Tuple.of(4, sweep),
            net.jqwik.api.Tuple.of(1, kill),
            net.jqwik.api.Tuple.of(1, wire),
            net.jqwik.api.Tuple.of(2, refills),
            net.jqwik.api.Tuple.of(2, deliver))
        .list()
        .ofMinSize(1)
        .ofMaxSize(60);
  }

  @Provide
  Arbitrary<Limit> limits() {
    return Arbitraries.of(
        Limit.of(100, Period.SECOND),
        Limit.of(1_000, Period.SECOND, 300),
        Limit.of(601, Period.MINUTE, 200),
        Limit.of(7_919, Period.MINUTE),
        Limit.of(2, Period.SECOND, 150));
  }

  @Property(tries = 400)
  void whateverHappensNoMoreGoesBeyondTheLimitThanThePartOfTheBurst(
      @ForAll("limits") Limit limit, @ForAll("schedules") @Size(min = 1) List<Event> schedule) {
    Fleet fleet = new Fleet(4, limit);
    schedule.forEach(event -> event.happen(fleet));
    assertThat(fleet.meter.overshoot()).isLessThanOrEqualTo(fleet.bound());
    for (Replica replica : fleet.replicas) {
      assertThat(replica.held()).isNotNegative();
      assertThat(replica.largestShare).isLessThanOrEqualTo(PERCENT / 100.0 / 4);
    }
  }

  @Test
  void whoHoardsAndThenSpendsAllAtOnceReachesTheBoundAndNoMore() {
    Fleet fleet = new Fleet(4, Limit.of(1_000, Period.SECOND));
    for (int i = 0; i < 40; i++) {
      for (int index = 0; index < 4; index++) {
        fleet.take(index, 1);
      }
      fleet.pass(5_000);
    }
    long held = fleet.replicas.stream().mapToLong(Replica::held).sum();
    assertThat(held).isBetween(40L, 100L);
    fleet.pass(1_200_000);
    for (int i = 0; i < 2_000; i++) {
      fleet.take(i % 4, 1);
    }
    assertThat(fleet.meter.overshoot()).isBetween(held, fleet.bound());
  }

  @Test
  void aReplicaThatSleepsPastTheEndOfItsUnitsSpendsNoneOfThem() {
    Fleet fleet = new Fleet(4, Limit.of(1_000, Period.SECOND));
    for (int i = 0; i < 100; i++) {
      fleet.take(0, 1);
      fleet.pass(2_000);
    }
    assertThat(fleet.replicas.get(0).held()).isPositive();
    fleet.pass(2_000_000);
    fleet.replicas.forEach(it -> it.wire.refills = Wire.Mode.CUT);
    for (int i = 0; i < 2_000; i++) {
      fleet.take(0, 1);
    }
    assertThat(fleet.meter.overshoot()).isZero();
  }

  @ParameterizedTest(name = "{0} replicas, the first has {1} per cent of the requests")
  @CsvSource({"1, 100", "4, 25", "4, 90", "2, 90"})
  void whereAsMuchIsAskedForAsIsAllowedLessIsLostThanThePartOfTheBurst(int size, int first) {
    Limit limit = Limit.of(1_000, Period.SECOND);
    Fleet leased = new Fleet(size, limit);
    Fleet strict = new Fleet(1, limit);
    strict.replicas.set(0, new Replica(strict.store, strict.clock, 1, Integer.MAX_VALUE, 10));
    Random random = new Random(11);
    // Without a burst to begin with: the bucket is empty.
    leased.take(0, 1_000);
    strict.take(0, 1_000);
    for (int i = 0; i < 20_000; i++) {
      long pause = (long) (-Math.log(1 - random.nextDouble()) * 1_000);
      leased.pass(pause);
      strict.pass(pause);
      boolean toFirst = size == 1 || random.nextInt(100) < first;
      leased.take(toFirst ? 0 : 1 + random.nextInt(size - 1), 1);
      strict.take(0, 1);
      if (i % 1_000 == 0) {
        leased.replicas.forEach(it -> it.leases.giveBackEnded());
      }
    }
    assertThat(leased.meter.admitted())
        .isBetween(
            strict.meter.admitted() * (100 - PERCENT) / 100,
            strict.meter.admitted() + leased.bound());
    assertThat(leased.meter.overshoot()).isLessThanOrEqualTo(leased.bound());
    assertThat(strict.meter.overshoot()).isNotPositive();
  }
}
