package dev.sluice.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.decision.Status;
import dev.sluice.limit.Balance;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.rule.Match;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Laws of the accounting, whatever the numbers are. */
final class TallyTest {
  private static final float RATIO = 0.8f;

  private static Status status(Limit limit, Charge charge, Verdict verdict) {
    Rule rule = Rule.plain("d", new RateLimit.Limited(limit));
    return new Status.Decided(new Match.Found(rule, List.of(), List.of()), limit, charge, verdict);
  }

  private static Balance left(long remaining) {
    return new Balance(remaining, 1, 1);
  }

  @Property
  void hitsAreWithinOrOver(
      @ForAll @LongRange(min = 1, max = 1000) long burst,
      @ForAll @LongRange(min = 1, max = 2000) long units,
      @ForAll @LongRange(min = 0, max = 1000) long remaining,
      @ForAll boolean fits) {
    Balance balance = left(Math.min(remaining, burst));
    Verdict verdict = fits ? new Verdict.Allowed(units, balance) : new Verdict.Denied(1, balance);

    Tally tally =
        Tally.of(status(Limit.of(burst, Period.DAY), new Charge.Take(units), verdict), RATIO);

    assertThat(tally.hits()).isEqualTo((double) units);
    assertThat(tally.within() + tally.over()).isEqualTo((double) units);
    assertThat(tally.near()).isBetween(0.0, tally.within());
    assertThat(tally.shadow()).isZero();
  }

  @Property
  void nearHitsOfAWholeBucketAreThoseBeyondTheNearLimit(
      @ForAll @LongRange(min = 1, max = 300) long burst,
      @ForAll @LongRange(min = 1, max = 20) long step) {
    Limit limit = Limit.of(burst, Period.DAY);
    double near = 0;
    for (long used = 0; used < burst; used += step) {
      long units = Math.min(step, burst - used);
      Verdict verdict = new Verdict.Allowed(units, left(burst - used - units));
      near += Tally.of(status(limit, new Charge.Take(units), verdict), RATIO).near();
    }

    assertThat(near).isEqualTo((double) (burst - Tally.nearLimit(burst, RATIO)));
  }

  @Test
  void whatAnotherDescriptorDeniedCountsAsItWasJudged() {
    Limit limit = Limit.of(10, Period.DAY);
    Verdict verdict = new Verdict.Allowed(0, left(3));

    assertThat(Tally.of(status(limit, new Charge.Take(2), verdict), RATIO))
        .isEqualTo(new Tally(2, 2, 0, 1, 0, 0));
  }

  @Test
  void unitsThatAreGivenBackOrLookedAtCountNothing() {
    Limit limit = Limit.of(10, Period.DAY);

    assertThat(
            Tally.of(status(limit, new Charge.Give(3), new Verdict.Allowed(-3, left(10))), RATIO))
        .isEqualTo(Tally.NOTHING);
    assertThat(Tally.of(status(limit, new Charge.Look(1), new Verdict.Allowed(0, left(1))), RATIO))
        .isEqualTo(Tally.NOTHING);
  }

  @Test
  void theNearLimitIsWhatSinglePrecisionMakesOfIt() {
    assertThat(Tally.nearLimit(10, 0.8f)).isEqualTo(8);
    assertThat(Tally.nearLimit(15, 0.8f)).isEqualTo(12);
    assertThat(Tally.nearLimit(4_294_967_295L, 0.8f)).isEqualTo(3_435_973_888L);
    assertThat(Tally.nearLimit(10, 0.7f)).isEqualTo(7);
    assertThat(Tally.nearLimit(1, 0.8f)).isZero();
  }
}
