package dev.sluice.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** What holds for servers that share a limit, each with a part of its own. */
class ShareLawsTest {
  private static final long NOW = 1_790_000_000_000_000L;
  private static final long LONGEST = 1L << 50;

  @Provide
  Arbitrary<Limit> limits() {
    Arbitrary<Long> numbers =
        Arbitraries.oneOf(
            Arbitraries.longs().between(1, 1_000),
            Arbitraries.longs().between(1, Limit.MAX_REQUESTS));
    return Combinators.combine(numbers, Arbitraries.of(Period.class), numbers)
        .as((requests, period, burst) -> Limit.of(requests, period, Math.min(burst, requests)));
  }

  @Property
  void whoIsAloneHasTheWholeLimit(@ForAll("limits") Limit limit) {
    assertThat(limit.share(1)).isEqualTo(limit);
  }

  @Property
  void aUnitCostsAsManyTimesTheTimeAsThereAreServersExactly(
      @ForAll("limits") Limit limit, @ForAll @IntRange(min = 1, max = 35) int servers) {
    EmissionInterval whole = limit.interval();
    EmissionInterval part = limit.share(servers).interval();
    assertThat(big(part.numerator()).multiply(big(whole.denominator())))
        .isEqualTo(big(whole.numerator()).multiply(big(servers)).multiply(big(part.denominator())));
  }

  @Property
  void noNumberIsLargerThanThoseOfAnyOtherLimit(
      @ForAll("limits") Limit limit,
      @ForAll @IntRange(min = 1, max = Limit.MAX_SERVERS) int servers) {
    Limit share = limit.share(servers);
    assertThat(share.span().whole()).isBetween(share.capacity().whole(), LONGEST);
    assertThat(share.convertedSpan().whole()).isLessThanOrEqualTo(LONGEST);
    assertThat(share.capacity().roundedUp()).isPositive();
  }

  @Property
  void inEveryIntervalAllServersTogetherAdmitNoMoreThanTheBurstAndTheRate(
      @ForAll("limits") Limit limit,
      @ForAll @IntRange(min = 1, max = 7) int servers,
      @ForAll @Size(min = 1, max = 30) List<@LongRange(min = 0, max = 1000) Long> pauses,
      @ForAll @LongRange(min = 1, max = 1_000_000) long scale) {
    Limit share = limit.share(servers);
    List<Micros> backlogs = new ArrayList<>();
    for (int i = 0; i < servers; i++) {
      backlogs.add(Micros.ZERO);
    }
    BigInteger admitted = BigInteger.ZERO;
    long now = NOW;
    for (long pause : pauses) {
      long before = now;
      now += pause * scale;
      for (int i = 0; i < servers; i++) {
        Micros backlog = BucketState.at(before, backlogs.get(i), share).backlog(now, share);
        Step step = Step.of(share, backlog, new Charge.UpTo(Charge.UpTo.MOST));
        backlogs.set(i, step.backlog());
        admitted = admitted.add(big(step.granted()));
      }
    }
    BigInteger atOnce = big(Math.max(limit.burst(), servers));
    assertThat(admitted.subtract(atOnce).multiply(big(limit.period().micros())))
        .isLessThanOrEqualTo(big(now - NOW).multiply(big(limit.requests())));
  }

  @Property
  void whatIsLeftOfTheWholeIsSharedAndNothingIsAddedToIt(
      @ForAll("limits") Limit limit,
      @ForAll @IntRange(min = 2, max = 100) int servers,
      @ForAll @IntRange(min = 0, max = 100) int percent) {
    long used = limit.burst() * percent / 100;
    long backlog = limit.interval().times(used).roundedUp();
    Limit share = limit.share(servers);
    BucketState state = BucketState.at(NOW, new Micros(backlog, 0), share);
    long each = Balance.of(share, state.backlog(NOW, share)).remaining();
    long left = limit.burst() - used;
    if (limit.burst() >= servers) {
      assertThat(each * servers).isLessThanOrEqualTo(left);
      long rounding = 2L * servers + limit.interval().unitsIn(new Micros(1, 0)) + 1;
      assertThat(each * servers).isGreaterThanOrEqualTo(left - rounding);
    } else {
      assertThat(each).isEqualTo(used == 0 ? 1 : 0);
    }
  }

  @Property
  void aBucketThatIsEmptyOnTheWholeIsEmptyInEveryShare(
      @ForAll("limits") Limit limit, @ForAll @IntRange(min = 1, max = 1000) int servers) {
    Limit share = limit.share(servers);
    long backlog = limit.capacity().roundedUp();
    BucketState state = BucketState.at(NOW, new Micros(backlog, 0), share);
    assertThat(Balance.of(share, state.backlog(NOW, share)).remaining()).isZero();
  }

  @Example
  void tenAMinuteAmongThreeServersAreThreeEachAndOneIn18Seconds() {
    Limit share = Limit.of(10, Period.MINUTE).share(3);
    assertThat(share.burst()).isEqualTo(3);
    assertThat(share.debt()).isEqualTo(3);
    assertThat(share.interval().times(1)).isEqualTo(new Micros(18_000_000, 0));
    assertThat(share).isNotEqualTo(Limit.of(10, Period.MINUTE, 3, 3));
  }

  @Example
  void oneAYearAmongAThousandServersIsOneIn35Years() {
    Limit share = Limit.of(1, Period.YEAR).share(1_000);
    assertThat(share.burst()).isEqualTo(1);
    assertThat(share.debt()).isZero();
    assertThat(share.capacity().whole()).isEqualTo(35 * Period.YEAR.micros());
  }

  @Example
  void noServersAreRefused() {
    Limit limit = Limit.of(1, Period.YEAR);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limit.share(0))
        .withMessage("0 servers (expected 1 to 100000)");
    assertThatIllegalArgumentException().isThrownBy(() -> limit.share(100_001));
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }
}
