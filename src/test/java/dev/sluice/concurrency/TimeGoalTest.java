package dev.sluice.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

class TimeGoalTest {
  private static final Duration BUDGET = Duration.ofMillis(8);
  private static final long MILLI = 1_000_000;

  private long now;

  private TimeGoal goal(DoubleSupplier waiting) {
    return new TimeGoal(new Bounds(4, 1_024, 128, 4_096), BUDGET, waiting, new SplittableRandom(1));
  }

  /** A second of calls that take so long each. */
  private void call(TimeGoal goal, long nanos) {
    for (int i = 0; i < 1_000; i++) {
      now += MILLI;
      goal.took(nanos, 250, now);
    }
  }

  @Test
  void callsThatTakeLongerThanTheGoalAreTooMany() {
    TimeGoal goal = goal(() -> 1);
    call(goal, 7 * MILLI);
    assertThat(goal.limit()).isLessThan(250);
  }

  @Test
  void callsThatTakeLongBecauseTheCallerIsBusyAreNot() {
    TimeGoal goal = goal(() -> 0.1);
    call(goal, 20 * MILLI);
    assertThat(goal.limit()).isGreaterThanOrEqualTo(1_024);
  }

  @Test
  void aBusyCallerLearnsNothingOfHowLongCallsTakeAtLeast() {
    double[] share = {1};
    TimeGoal goal = goal(() -> share[0]);
    call(goal, MILLI);
    share[0] = 0.01;
    call(goal, MILLI);
    assertThat(goal.baseNanos()).isEqualTo(MILLI);
  }

  @Test
  void afterAnOutageThereAreFewAndNoMoreThanBefore() {
    TimeGoal goal = goal(() -> 1);
    goal.restart();
    assertThat(goal.limit()).isEqualTo(128);
    call(goal, 100 * MILLI);
    int slow = goal.limit();
    assertThat(slow).isLessThan(128);
    goal.restart();
    assertThat(goal.limit()).isEqualTo(slow);
  }
}
