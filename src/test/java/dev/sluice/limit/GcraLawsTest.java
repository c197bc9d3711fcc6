package dev.sluice.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** What holds for every limit, found out with random ones up to 2^32 - 1 and every period. */
class GcraLawsTest {
  private static final long NOW = 1_790_000_000_000_000L;

  /** A bucket of its own, for a test. */
  private static final class Bucket {
    private final Limit limit;
    private Micros backlog = Micros.ZERO;
    private long now = NOW;

    Bucket(Limit limit) {
      this.limit = limit;
    }

    boolean take(long units) {
      return charge(new Charge.Take(units)).conforms();
    }

    Step charge(Charge charge) {
      Step step = Step.of(limit, backlog, charge);
      if (step.conforms() || charge instanceof Charge.Force) {
        backlog = step.backlog();
      }
      return step;
    }

    void pass(long micros) {
      BucketState state = BucketState.at(now, backlog, limit);
      now += micros;
      backlog = state.backlog(now, limit);
    }
  }

  @Provide
  Arbitrary<Limit> limits() {
    Arbitrary<Long> requests = Arbitraries.longs().between(1, Limit.MAX_REQUESTS);
    return Combinators.combine(requests, Arbitraries.of(Period.class)).as(Limit::of);
  }

  @Provide
  Arbitrary<Limit> limitsWithBursts() {
    Arbitrary<Long> numbers = Arbitraries.longs().between(1, Limit.MAX_REQUESTS);
    return Combinators.combine(numbers, Arbitraries.of(Period.class), numbers)
        .as(
            (requests, period, burst) ->
                Limit.of(requests, period, Math.min(burst, 35 * requests), 0));
  }

  @Property
  void exactlyTheBurstConformsAtOneInstant(
      @ForAll("limitsWithBursts") Limit limit, @ForAll @IntRange(max = 300) int singles) {
    Bucket bucket = new Bucket(limit);
    long last = Math.min(singles, limit.burst());
    if (limit.burst() > last) {
      assertThat(bucket.take(limit.burst() - last)).isTrue();
    }
    for (int i = 0; i < last; i++) {
      assertThat(bucket.take(1)).isTrue();
    }
    assertThat(bucket.take(1)).isFalse();
  }

  @Property
  void inEveryIntervalNoMoreThanTheBurstAndTheRateIsAdmitted(
      @ForAll("limitsWithBursts") Limit limit,
      @ForAll @Size(min = 1, max = 60) List<@LongRange(min = 0, max = 1000) Long> pauses,
      @ForAll @LongRange(min = 1, max = 1_000_000) long scale) {
    Bucket bucket = new Bucket(limit);
    List<long[]> admitted = new ArrayList<>();
    for (long pause : pauses) {
      bucket.pass(pause * scale);
      Step step = bucket.charge(new Charge.UpTo(1 + limit.burst() / 3));
      admitted.add(new long[] {bucket.now, step.conforms() ? step.granted() : 0});
    }
    for (int from = 0; from < admitted.size(); from++) {
      BigInteger sum = BigInteger.ZERO;
      for (int to = from; to < admitted.size(); to++) {
        sum = sum.add(BigInteger.valueOf(admitted.get(to)[1]));
        long elapsed = admitted.get(to)[0] - admitted.get(from)[0];
        assertThat(
                sum.subtract(BigInteger.valueOf(limit.burst()))
                    .multiply(BigInteger.valueOf(limit.period().micros())))
            .isLessThanOrEqualTo(
                BigInteger.valueOf(elapsed).multiply(BigInteger.valueOf(limit.requests())));
      }
    }
  }

  @Property
  void theWaitThatIsToldIsTheLeastThatIsEnough(
      @ForAll("limitsWithBursts") Limit limit, @ForAll @LongRange(min = 1, max = 1000) long part) {
    long cost = Math.max(1, limit.burst() / part);
    Bucket bucket = new Bucket(limit);
    bucket.take(limit.burst());
    Verdict verdict = Verdict.of(limit, new Charge.Take(cost), false, 0, bucket.backlog);
    long wait = ((Verdict.Denied) verdict).retryAfterMicros();
    bucket.pass(wait - 1);
    assertThat(Step.of(limit, bucket.backlog, new Charge.Take(cost)).conforms()).isFalse();
    bucket.pass(1);
    assertThat(Step.of(limit, bucket.backlog, new Charge.Take(cost)).conforms()).isTrue();
  }

  @Property
  void whatIsTakenAndGivenBackAtOnceLeavesNoTrace(@ForAll("limitsWithBursts") Limit limit) {
    Bucket bucket = new Bucket(limit);
    bucket.take(Math.max(1, limit.burst() / 2));
    Micros before = bucket.backlog;
    if (bucket.take(1)) {
      bucket.charge(new Charge.Give(1));
    }
    assertThat(bucket.backlog).isEqualTo(before);
  }

  @Property
  void aChangedLimitKeepsTheUnitsUsed(
      @ForAll("limits") Limit before,
      @ForAll("limits") Limit after,
      @ForAll @IntRange(min = 1, max = 100) int part) {
    long used = Math.max(1, before.burst() / part);
    BucketState state = BucketState.at(NOW, before.interval().times(used), before);
    long remaining = Balance.of(after, state.backlog(NOW, after)).remaining();
    assertThat(remaining).isEqualTo(Math.max(0, after.burst() - used));
  }

  @Property
  void whatDrainsBeforeAChangeIsSeenCountsAtTheKinderRate(
      @ForAll("limits") Limit before,
      @ForAll("limits") Limit after,
      @ForAll @LongRange(min = 0, max = 100_000_000_000L) long elapsed) {
    BucketState state = BucketState.at(NOW, before.capacity(), before);
    long remaining = Balance.of(after, state.backlog(NOW + elapsed, after)).remaining();
    long atOldRate = before.interval().unitsIn(new Micros(elapsed, 0));
    long atNewRate = after.interval().unitsIn(new Micros(elapsed, 0));
    long regained = Math.min(before.burst(), Math.max(atOldRate, atNewRate));
    long used = before.burst() - regained;
    assertThat(remaining).isEqualTo(Math.min(after.burst(), Math.max(0, after.burst() - used)));
  }

  @Property
  void aChangedLimitNeverLocksForLongerThanOneOfItsPeriods(
      @ForAll("limits") Limit before,
      @ForAll("limitsWithBursts") Limit after,
      @ForAll boolean inDebt) {
    Micros backlog = inDebt ? before.span() : before.capacity();
    BucketState state = BucketState.at(NOW, backlog, before);
    long wait = Balance.waitFor(after, state.backlog(NOW, after), 1);
    assertThat(wait).isLessThanOrEqualTo(after.period().micros());
  }

  @Property
  void productsAreExactHoweverWide(
      @ForAll @LongRange(min = 0, max = 1L << 33) long a,
      @ForAll @LongRange(min = 0, max = 1L << 45) long b,
      @ForAll @LongRange(min = 0, max = Limit.MAX_REQUESTS) long plus,
      @ForAll @LongRange(min = 1L << 20, max = 1L << 45) long divisor) {
    BigInteger product =
        BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).add(BigInteger.valueOf(plus));
    BigInteger[] expected = product.divideAndRemainder(BigInteger.valueOf(divisor));
    assertThat(WideMath.multiplyDivide(a, b, plus, divisor))
        .isEqualTo(expected[0].longValueExact());
    assertThat(WideMath.multiplyRemainder(a, b, plus, divisor))
        .isEqualTo(expected[1].longValueExact());
  }

  @Property
  void aBalanceWithoutWhatWasTakenIsTheOneBefore(
      @ForAll("limitsWithBursts") Limit limit,
      @ForAll @LongRange(min = 1) long before,
      @ForAll @LongRange(min = 1) long taken,
      @ForAll @LongRange(max = 3_600_000_000L) long passed) {
    Bucket bucket = new Bucket(limit);
    bucket.charge(new Charge.Take(1 + before % limit.burst()));
    bucket.pass(passed);
    Balance then = Balance.of(limit, bucket.backlog);
    Step step = bucket.charge(new Charge.UpTo(taken));
    Balance now = Balance.of(limit, bucket.backlog).without(limit, step.granted());
    assertThat(now).isEqualTo(then);
  }
}
