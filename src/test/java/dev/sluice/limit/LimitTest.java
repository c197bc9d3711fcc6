package dev.sluice.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class LimitTest {
  @Test
  void theBurstIsOnePeriodsWorthAndTheDebtIsOneBurstUnlessSaidOtherwise() {
    Limit limit = Limit.of(60, Period.MINUTE);
    assertThat(limit.burst()).isEqualTo(60);
    assertThat(limit.debt()).isEqualTo(60);
    assertThat(limit.interval()).isEqualTo(new EmissionInterval(1_000_000, 1));
  }

  @Test
  void theDebtOfALongLimitIsWhatTheLongestBacklogLeaves() {
    Limit limit = Limit.of(1, Period.YEAR, 35);
    assertThat(limit.debt()).isZero();
    assertThat(Limit.of(1, Period.YEAR, 20).debt()).isEqualTo(15);
  }

  @Test
  void aBurstThatTakesLongerThan35YearsToDrainIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(1, Period.YEAR, 36))
        .withMessage(
            "burst 36 and debt 0 at 1 per year take longer than 35 years to drain (expected at most 35 together)");
  }

  @Test
  void numbersThatDoNotFitTheProtocolAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(0, Period.DAY))
        .withMessage("requests_per_unit is 0 (expected a whole number from 1 to 4294967295)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(1L << 32, Period.DAY))
        .withMessageContaining("requests_per_unit is 4294967296");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(5, Period.DAY, 0))
        .withMessage("burst is 0 (expected a whole number from 1 to 4294967295)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(5, Period.DAY, 1, -1))
        .withMessage("debt is -1 (expected a whole number from 0 to 4294967295)");
  }

  @Test
  void limitsAreEqualByWhatTheySay() {
    assertThat(Limit.of(5, Period.DAY))
        .isEqualTo(Limit.of(5, Period.DAY, 5, 5))
        .hasSameHashCodeAs(Limit.of(5, Period.DAY));
    assertThat(Limit.of(5, Period.DAY))
        .isNotEqualTo(Limit.of(5, Period.HOUR))
        .hasToString("5/DAY burst 5 debt 5");
  }

  @Test
  void anIntervalIsAFractionInLowestTerms() {
    assertThat(EmissionInterval.of(1_000_000, 700)).isEqualTo(new EmissionInterval(10_000, 7));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EmissionInterval(2, 4))
        .withMessage(
            "2/4 is not an emission interval (expected a positive fraction in lowest terms)");
  }

  @Test
  void aChargeOfNothingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Charge.Take(0))
        .withMessage("0 units cannot be charged (expected at least 1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Micros(-1, 0))
        .withMessage("-1:0 is not a duration (expected two numbers from 0)");
  }
}
