package dev.sluice.concurrency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.concurrency.Simulation.Outcome;
import dev.sluice.concurrency.Simulation.World;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What becomes of calls while Redis is well, slow or stalled, under each algorithm. RATIONALE.md
 * has these numbers in a table.
 *
 * <p>Where nothing else is said, four servers get 1,750 requests a second each, for one Redis that
 * answers 10,000 a second; calls have 10 ms.
 */
class SimulationTest {
  private static final Duration BUDGET = Duration.ofMillis(10);
  private static final Bounds BOUNDS = new Bounds(4, 1_024, 128, 4_096);
  private static final double POINTS = 3;

  /** A tenth of a millisecond for a call. */
  private static double well(double seconds) {
    return 100_000;
  }

  /** Five times that from the tenth second to the twentieth. */
  private static double slow(double seconds) {
    return seconds >= 10 && seconds < 20 ? 500_000 : 100_000;
  }

  private static Supplier<Algorithm> algorithm(String name) {
    return switch (name) {
      case "none" -> () -> new Fixed(Integer.MAX_VALUE);
      case "static" -> () -> new Fixed(8);
      case "vegas" -> () -> Algorithms.VEGAS.make(BOUNDS, BUDGET, () -> 1);
      case "gradient" ->
          () -> new Gradient(BOUNDS.startingAt(32), BUDGET, () -> 1, new SplittableRandom(3));
      default -> () -> new TimeGoal(BOUNDS, BUDGET, () -> 1, new SplittableRandom(3));
    };
  }

  private static World near(String name, DoubleUnaryOperator service) {
    return new World(algorithm(name), BUDGET, service, 200_000, 50_000, 0);
  }

  @ParameterizedTest(name = "{0}: {1} in time, {2} refused, {3} late")
  @CsvSource({
    "none, 0, 0, 100",
    "static, 0, 71, 29",
    "vegas, 11, 71, 18",
    "gradient, 28, 71, 0",
    "deadline, 27, 71, 2",
  })
  void whileRedisIsFiveTimesSlower(String name, double inTime, double refused, double late) {
    Outcome slow =
        new Simulation(near(name, SimulationTest::slow)).open(4, 1_750, 20).between(10, 20);
    assertThat(slow.inTime()).as("%s", slow).isCloseTo(inTime, within(POINTS));
    assertThat(slow.refused()).as("%s", slow).isCloseTo(refused, within(POINTS));
    assertThat(slow.late()).as("%s", slow).isCloseTo(late, within(POINTS));
  }

  @Test
  void fromTheSecondSecondOnNothingIsLateUnderTheDeadlineAndRedisDoesAllThatItCan() {
    Simulation run = new Simulation(near("deadline", SimulationTest::slow)).open(4, 1_750, 20);
    Outcome slow = run.between(11, 20);
    assertThat(slow.late()).isLessThan(0.5);
    assertThat(slow.p99Millis()).isLessThan(10.0);
    assertThat(slow.inTime()).isGreaterThan(100 * 2_000.0 / 7_000 - 1);
  }

  @Test
  void aMinuteOfSlownessIsNoWorseThanTenSecondsOfIt() {
    DoubleUnaryOperator minute = seconds -> seconds >= 5 && seconds < 65 ? 500_000 : 100_000;
    Simulation run = new Simulation(near("deadline", minute)).open(4, 1_750, 75);
    assertThat(run.between(5, 65).inTime()).isCloseTo(28.4, within(POINTS));
    assertThat(run.between(55, 65).late()).isLessThan(1);
    assertThat(run.between(66, 75).refused()).isZero();
    assertThat(run.between(66, 75).late()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"deadline, 98", "gradient, 98", "vegas, 97"})
  void withinASecondOfTheEndAllIsAsBefore(String name, double inTime) {
    Simulation run = new Simulation(near(name, SimulationTest::slow)).open(4, 1_750, 25);
    assertThat(run.between(20, 21).inTime()).isGreaterThan(inTime);
    assertThat(run.between(21, 25).inTime()).isGreaterThan(99.9);
  }

  @Test
  void withoutABoundTheCallsThatNobodyWaitsForKeepRedisBusyLongAfterIt() {
    Simulation run = new Simulation(near("none", SimulationTest::slow)).open(4, 1_750, 45);
    assertThat(run.between(20, 25).inTime()).isLessThan(5);
  }

  @ParameterizedTest
  @CsvSource({"deadline, 0", "gradient, 0.5", "vegas, 0.5"})
  void nothingIsRefusedWhileRedisIsWell(String name, double most) {
    Outcome well =
        new Simulation(near(name, SimulationTest::well)).open(4, 1_750, 10).between(0, 10);
    assertThat(well.refused()).isLessThanOrEqualTo(most);
    assertThat(well.late()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"deadline, 0", "gradient, 0.5", "vegas, 1"})
  void aRedisInAnotherZoneIsWellToo(String name, double most) {
    World far = new World(algorithm(name), BUDGET, SimulationTest::well, 4_000_000, 2_000_000, 0);
    Outcome outcome = new Simulation(far).open(4, 1_750, 20).between(0, 20);
    assertThat(outcome.refused()).isLessThanOrEqualTo(most);
    assertThat(outcome.late()).isZero();
  }

  @Test
  void aStallOfThirtyMillisecondsInEachSecondCostsHardlyMoreThanItTakes() {
    DoubleUnaryOperator stalls = seconds -> seconds % 1 < 0.0001 ? 30e6 : 100_000;
    Outcome outcome = new Simulation(near("deadline", stalls)).open(4, 1_750, 20).between(0, 20);
    assertThat(outcome.inTime()).isGreaterThan(95);
    assertThat(outcome.refused()).isLessThan(POINTS);
  }

  @ParameterizedTest
  @CsvSource({"256", "512"})
  void manyCallersWhoAskAgainAtOnceAreNotRefusedFromTheFirstSecondOn(int callers) {
    World batching =
        new World(
            algorithm("deadline"), Duration.ofMillis(8), seconds -> 50_000, 100_000, 20_000, 2);
    Simulation run = new Simulation(batching).closed(callers, 1_000_000, 3);
    assertThat(run.between(0, 3).refused()).isZero();
    assertThat(run.between(0, 3).late()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"vegas", "gradient"})
  void whereCallsWaitToGoTogetherTheOthersTakeThatForTrouble(String name) {
    World batching =
        new World(algorithm(name), Duration.ofMillis(8), seconds -> 50_000, 100_000, 20_000, 2);
    Simulation run = new Simulation(batching).closed(256, 1_000_000, 2);
    assertThat(run.between(1, 2).refused()).isGreaterThan(10);
  }
}
