package dev.sluice.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.testing.GcraVectors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every store of buckets does, and every stack of decorators upon one. */
public abstract class BucketStoreContract {
  /**
   * Later than any real time of a test run, so that no store lets go of a bucket by its own clock.
   */
  private static final long SHIFT = 1_000_000_000_000_000L;

  private static final long NOW = 1_790_000_000_000_000L + SHIFT;
  private static final AtomicInteger NEXT = new AtomicInteger();

  private String name = "";

  @BeforeEach
  void nameOfItsOwn() {
    name = getClass().getSimpleName() + NEXT.incrementAndGet();
  }

  /** The store, with a clock of its own. */
  protected abstract BucketStore store();

  /** Moves the store's clock. */
  protected abstract void setClock(long micros);

  /** Puts a state into the store from outside. */
  protected void plant(BucketKey key, GcraVectors.State state, Limit limit) {
    setClock(state.q() - limit.capacity().whole());
    decide(new BucketCharge(key, limit, new Charge.Take(limit.burst()), BucketCharge.Veto.ALONE));
  }

  static List<GcraVectors.Case> cases() {
    return GcraVectors.load().cases();
  }

  static List<GcraVectors.Multi> groups() {
    return GcraVectors.load().multi();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aBucketAnswersAsTheModelSays(GcraVectors.Case vector) {
    BucketKey key = key(vector.id());
    GcraVectors.State init = vector.init();
    if (init != null) {
      plant(
          key,
          new GcraVectors.State(init.q() + SHIFT, init.r(), init.d()),
          vector.steps().get(0).asLimit());
    }
    for (GcraVectors.Step step : vector.steps()) {
      setClock(step.tUs() + SHIFT);
      BucketCharge charge =
          new BucketCharge(key, step.asLimit(), step.asCharge(), BucketCharge.Veto.ALONE);
      for (int i = 1; i < step.repeat(); i++) {
        Verdict verdict = decide(charge).get(0);
        assertThat(verdict.conforms())
            .as("%s, repetition %d", step, i)
            .isEqualTo(step.expect().allow());
      }
      assertThat(decide(charge).get(0)).as("%s", step).matches(step.expect()::agreesWith);
    }
  }

  @ParameterizedTest
  @MethodSource("groups")
  void aGroupOfBucketsAnswersAsTheModelSays(GcraVectors.Multi vector) {
    for (GcraVectors.MultiStep step : vector.steps()) {
      setClock(step.tUs() + SHIFT);
      List<BucketCharge> charges = new ArrayList<>();
      for (int i = 0; i < vector.rules().size(); i++) {
        Charge charge = GcraVectors.question(step.costs().get(i));
        charges.add(
            new BucketCharge(
                key(vector.id() + i),
                vector.rules().get(i).asLimit(),
                charge,
                BucketCharge.Veto.ALONE));
      }
      List<Verdict> verdicts = decide(charges.toArray(BucketCharge[]::new));
      assertThat(verdicts.stream().allMatch(Verdict::conforms)).isEqualTo(step.expect().allow());
      for (int i = 0; i < verdicts.size(); i++) {
        assertThat(verdicts.get(i))
            .as("%s, bucket %d", step, i)
            .matches(step.expect().each().get(i)::agreesWith);
      }
    }
  }

  @ParameterizedTest(name = "{0} of {1}/{2} used, then {3}/{4}: {5} remain")
  @CsvSource({
    "3, 3, DAY, 6, DAY, 3",
    "4, 6, DAY, 3, DAY, 0",
    "50, 100, MINUTE, 200, MINUTE, 150",
    "10, 10, DAY, 100, SECOND, 90",
    "100, 100, SECOND, 1000, HOUR, 900",
    "8, 8, DAY, 2, DAY, 0",
    "60, 60, MINUTE, 1, SECOND, 0",
    "7, 7, SECOND, 11, SECOND, 4",
  })
  void aChangedLimitKeepsTheUnitsUsed(
      long used, long requests, Period period, long newRequests, Period newPeriod, long remain) {
    setClock(NOW);
    BucketKey key = key("changed");
    assertThat(take(key, Limit.of(requests, period), used).conforms()).isTrue();
    Limit changed = Limit.of(newRequests, newPeriod);
    assertThat(look(key, changed).balance().remaining()).isEqualTo(remain);
    for (int i = 0; i < remain; i++) {
      assertThat(take(key, changed, 1).conforms()).isTrue();
    }
    Verdict denied = take(key, changed, 1);
    assertThat(denied.conforms()).isFalse();
    assertThat(((Verdict.Denied) denied).retryAfterMicros())
        .isLessThanOrEqualTo(newPeriod.micros() / newRequests + 1);
  }

  @Test
  void aDayRuleThatBecomesASecondRuleDoesNotLockForADay() {
    setClock(NOW);
    BucketKey key = key("unit");
    take(key, Limit.of(2, Period.DAY), 2);
    setClock(NOW + 500_000);
    assertThat(take(key, Limit.of(2, Period.SECOND), 1).conforms()).isTrue();
    assertThat(take(key, Limit.of(2, Period.SECOND), 1).conforms()).isFalse();
  }

  @Test
  void whatDrainedBeforeAChangeWasSeenIsNotTakenBackByASlowerRate() {
    setClock(NOW);
    BucketKey key = key("slower");
    take(key, Limit.of(10, Period.SECOND), 10);
    setClock(NOW + 500_000);
    assertThat(look(key, Limit.of(10, Period.DAY)).balance().remaining()).isEqualTo(5);
  }

  @Test
  void aDeniedChargeLeavesNoTraceInABucketWhoseLimitChangesLater() {
    setClock(NOW);
    BucketKey key = key("denied");
    take(key, Limit.of(2, Period.DAY), 2);
    setClock(NOW + 400_000);
    assertThat(take(key, Limit.of(2, Period.DAY), 1).conforms()).isFalse();
    setClock(NOW + 500_000);
    assertThat(take(key, Limit.of(2, Period.SECOND), 1).conforms()).isTrue();
  }

  @Test
  void aSmallerBurstDoesNotLockABucketThatWasNeverInDebt() {
    setClock(NOW);
    BucketKey key = key("burst");
    take(key, Limit.of(1, Period.DAY, 30), 30);
    Verdict denied = take(key, Limit.of(1, Period.DAY, 3), 1);
    assertThat(((Verdict.Denied) denied).retryAfterMicros()).isEqualTo(Period.DAY.micros());
  }

  @Test
  void replicasWithOldAndNewRulesMayMix() {
    setClock(NOW);
    BucketKey key = key("mixed");
    Limit old = Limit.of(6, Period.DAY);
    Limit raised = Limit.of(12, Period.DAY);
    for (int i = 0; i < 3; i++) {
      assertThat(take(key, old, 1).conforms()).isTrue();
      assertThat(take(key, raised, 1).conforms()).isTrue();
    }
    assertThat(look(key, old).balance().remaining()).isZero();
    assertThat(look(key, raised).balance().remaining()).isEqualTo(6);
  }

  @Test
  void debtIsKeptWhenTheLimitChangesButLocksForOnePeriodAtMost() {
    setClock(NOW);
    BucketKey key = key("debt");
    decide(charge(key, Limit.of(100, Period.DAY), new Charge.Force(170)));
    decide(charge(key("other"), Limit.of(100, Period.DAY), new Charge.Force(170)));
    assertThat(look(key, Limit.of(200, Period.DAY)).balance().remaining()).isEqualTo(30);
    Verdict lowered = look(key("other"), Limit.of(2, Period.HOUR));
    assertThat(((Verdict.Denied) lowered).retryAfterMicros()).isEqualTo(Period.HOUR.micros());
  }

  @Test
  void aReportIsChargedAlthoughItDoesNotFitAndHasToBePaidOff() {
    setClock(NOW);
    BucketKey key = key("report");
    Limit limit = Limit.of(100, Period.DAY);
    Verdict first = decide(charge(key, limit, new Charge.Force(70))).get(0);
    Verdict second = decide(charge(key, limit, new Charge.Force(70))).get(0);
    assertThat(first).isEqualTo(new Verdict.Recorded(70, true, first.balance()));
    assertThat(first.balance().remaining()).isEqualTo(30);
    assertThat(second).isEqualTo(new Verdict.Recorded(70, false, second.balance()));
    setClock(NOW + Period.DAY.micros() * 40 / 100);
    assertThat(take(key, limit, 1).conforms()).isFalse();
    setClock(NOW + Period.DAY.micros() * 41 / 100);
    assertThat(take(key, limit, 1).conforms()).isTrue();
  }

  @Test
  void aGroupIsTakenAsAWholeOrNotAtAll() {
    setClock(NOW);
    Limit wide = Limit.of(10, Period.HOUR);
    Limit narrow = Limit.of(3, Period.HOUR);
    for (int i = 0; i < 5; i++) {
      List<Verdict> verdicts =
          decide(
              charge(key("team"), wide, new Charge.Take(1)),
              charge(key("crane"), narrow, new Charge.Take(1)));
      assertThat(verdicts.get(0).conforms()).isTrue();
      assertThat(verdicts.get(1).conforms()).isEqualTo(i < 3);
    }
    assertThat(look(key("team"), wide).balance().remaining()).isEqualTo(7);
  }

  @Test
  void reportsAndGiftsAreCarriedOutAlthoughTheGroupIsDenied() {
    setClock(NOW);
    Limit limit = Limit.of(10, Period.HOUR);
    take(key("given"), limit, 5);
    List<Verdict> verdicts =
        decide(
            charge(key("asked"), limit, new Charge.Take(1)),
            charge(key("reported"), limit, new Charge.Force(4)),
            charge(key("given"), limit, new Charge.Give(2)),
            charge(key("denied"), limit, new Charge.Take(11)));
    assertThat(verdicts.get(0)).isEqualTo(new Verdict.Allowed(0, verdicts.get(0).balance()));
    assertThat(verdicts.get(3)).isInstanceOf(Verdict.Impossible.class);
    assertThat(look(key("asked"), limit).balance().remaining()).isEqualTo(10);
    assertThat(look(key("reported"), limit).balance().remaining()).isEqualTo(6);
    assertThat(look(key("given"), limit).balance().remaining()).isEqualTo(7);
  }

  @Test
  void aReportThatDoesNotFitDeniesTheGroup() {
    setClock(NOW);
    Limit limit = Limit.of(10, Period.HOUR);
    decide(
        charge(key("asked"), limit, new Charge.Take(3)),
        charge(key("reported"), limit, new Charge.Force(11)));
    assertThat(look(key("asked"), limit).balance().remaining()).isEqualTo(10);
    assertThat(look(key("reported"), limit).balance().remaining()).isZero();
  }

  @Test
  void aChargeThatIsNotEnforcedNeverDeniesTheGroup() {
    setClock(NOW);
    Limit one = Limit.of(1, Period.HOUR);
    Limit many = Limit.of(5, Period.HOUR);
    for (int i = 0; i < 3; i++) {
      List<Verdict> verdicts =
          decide(
              new BucketCharge(key("watched"), one, new Charge.Take(1), BucketCharge.Veto.NEVER),
              charge(key("enforced"), many, new Charge.Take(1)));
      assertThat(verdicts.get(0).conforms()).isEqualTo(i == 0);
      assertThat(verdicts.get(1).balance().remaining()).isEqualTo(4 - i);
    }
  }

  @ParameterizedTest(name = "{0}: {2} taken of the first bucket, {3} of the second")
  @CsvSource({
    // What each charge vetoes and asks for, of 10; what is taken of each.
    "both fit, TOGETHER 1 TOGETHER 1, 1, 1",
    "one of two fits, TOGETHER 1 TOGETHER 11, 1, 0",
    "the other of two fits, TOGETHER 11 TOGETHER 1, 0, 1",
    "none of two fits, TOGETHER 11 TOGETHER 11, 0, 0",
    "one that vetoes with itself fits, TOGETHER 1 NEVER 11, 1, 0",
    "one that vetoes with itself does not fit, TOGETHER 11 NEVER 1, 0, 0",
    "a fitting one does not save one that vetoes alone, TOGETHER 1 ALONE 11, 0, 0",
    "one that vetoes alone does not save the others, ALONE 1 TOGETHER 11, 0, 0",
    "one of each fits, ALONE 1 TOGETHER 1, 1, 1",
    "nobody vetoes, NEVER 11 NEVER 1, 0, 1",
    "one that never vetoes is not taken of a denied group, NEVER 1 ALONE 11, 0, 0",
  })
  void aGroupIsDeniedByOneThatVetoesAloneOrByAllThatVetoTogether(
      String what, String charges, long first, long second) {
    setClock(NOW);
    Limit limit = Limit.of(10, Period.DAY);
    String[] words = charges.split(" ", -1);
    BucketCharge one = voting(key("first"), limit, words[0], words[1]);
    BucketCharge other = voting(key("second"), limit, words[2], words[3]);

    List<Verdict> verdicts = decide(one, other);

    assertThat(verdicts.get(0).conforms()).isEqualTo(one.charge().units() <= 10);
    assertThat(verdicts.get(1).conforms()).isEqualTo(other.charge().units() <= 10);
    assertThat(look(key("first"), limit).balance().remaining()).isEqualTo(10 - first);
    assertThat(look(key("second"), limit).balance().remaining()).isEqualTo(10 - second);
  }

  private static BucketCharge voting(BucketKey key, Limit limit, String veto, String units) {
    Charge take = new Charge.Take(Long.parseLong(units));
    return new BucketCharge(key, limit, take, BucketCharge.Veto.valueOf(veto));
  }

  @Test
  void aLookVotesLikeATakeAndAReportThatFitsSavesItsKind() {
    setClock(NOW);
    Limit limit = Limit.of(10, Period.DAY);
    take(key("used up"), limit, 10);
    BucketCharge looked = together(key("used up"), limit, new Charge.Look(1));
    BucketCharge alone = charge(key("asked"), limit, new Charge.Take(1));

    decide(looked, alone);
    assertThat(look(key("asked"), limit).balance().remaining()).isEqualTo(10);

    decide(looked, together(key("reported"), limit, new Charge.Force(4)), alone);
    assertThat(look(key("asked"), limit).balance().remaining()).isEqualTo(9);
    assertThat(look(key("reported"), limit).balance().remaining()).isEqualTo(6);
  }

  private static BucketCharge together(BucketKey key, Limit limit, Charge charge) {
    return new BucketCharge(key, limit, charge, BucketCharge.Veto.TOGETHER);
  }

  @Test
  void aBucketThatComesTwiceInAGroupIsChargedTwice() {
    setClock(NOW);
    Limit limit = Limit.of(10, Period.DAY);
    BucketCharge one = charge(key("twin"), limit, new Charge.Take(1));
    List<Verdict> verdicts = decide(one, one);
    assertThat(verdicts.get(0).balance().remaining()).isEqualTo(9);
    assertThat(verdicts.get(1).balance().remaining()).isEqualTo(8);
    take(key("twin"), limit, 7);
    List<Verdict> last = decide(one, one);
    assertThat(last.get(0).conforms()).isTrue();
    assertThat(last.get(1).conforms()).isFalse();
    assertThat(((Verdict.Denied) last.get(1)).retryAfterMicros())
        .isEqualTo(Period.DAY.micros() / 10);
    assertThat(look(key("twin"), limit).balance().remaining()).isEqualTo(1);
  }

  @Test
  void aGiftNeverOverfillsABucket() {
    setClock(NOW);
    Limit limit = Limit.of(7, Period.SECOND);
    take(key("gift"), limit, 2);
    Verdict given = decide(charge(key("gift"), limit, new Charge.Give(Long.MAX_VALUE))).get(0);
    assertThat(given.conforms()).isTrue();
    assertThat(given.balance().remaining()).isEqualTo(7);
    assertThat(take(key("gift"), limit, 8)).isInstanceOf(Verdict.Impossible.class);
  }

  @Test
  void whatIsTakenUpToANumberIsNoMoreThanThereIs() {
    setClock(NOW);
    Limit limit = Limit.of(4_294_967_291L, Period.YEAR);
    Verdict first = decide(charge(key("upto"), limit, new Charge.UpTo(Long.MAX_VALUE))).get(0);
    assertThat(first).isEqualTo(new Verdict.Allowed(Charge.UpTo.MOST, first.balance()));
    take(key("upto"), limit, first.balance().remaining() - 3);
    Verdict rest = decide(charge(key("upto"), limit, new Charge.UpTo(1000))).get(0);
    assertThat(rest).isEqualTo(new Verdict.Allowed(3, rest.balance()));
    Verdict none = decide(charge(key("upto"), limit, new Charge.UpTo(1000))).get(0);
    assertThat(none).isInstanceOf(Verdict.Denied.class);
  }

  @ParameterizedTest(name = "{1} of {0} left, one in {2}: {3}")
  @CsvSource({
    "100, 50, 5, 20",
    "100, 7, 5, 7",
    "99, 50, 5, 19",
    "10, 50, 5, 2",
    "9, 50, 5, 1",
    "1, 50, 5, 1",
    "0, 50, 5, 0",
    "100, 50, 1, 50",
    "100, 50, 1000, 1",
    "100, 9223372036854775807, 3, 33",
    "3000000, 9223372036854775807, 3, 349525",
  })
  void ofWhatIsLeftOnlyAShareIsTaken(long left, long wanted, long share, long granted) {
    setClock(NOW);
    Limit limit = Limit.of(3_000_001, Period.YEAR);
    take(key("share"), limit, limit.burst() - left);
    Verdict verdict = decide(charge(key("share"), limit, new Charge.UpTo(wanted, share))).get(0);
    assertThat(verdict.conforms()).isEqualTo(granted > 0);
    assertThat(verdict.balance().remaining()).isEqualTo(left - granted);
    if (verdict instanceof Verdict.Allowed allowed) {
      assertThat(allowed.granted()).isEqualTo(granted);
    }
  }

  @Test
  void noChargesAreAllowed() {
    assertThat(decide()).isEmpty();
  }

  @Test
  void manyCallersAtOnceGetExactlyTheBurst() throws Exception {
    setClock(NOW);
    Limit limit = Limit.of(100, Period.DAY);
    AtomicInteger admitted = new AtomicInteger();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      Thread caller =
          new Thread(
              () -> {
                for (int j = 0; j < 20; j++) {
                  admitted.addAndGet(take(key("rush"), limit, 1).conforms() ? 1 : 0);
                }
              });
      callers.add(caller);
      caller.start();
    }
    for (Thread caller : callers) {
      caller.join(TimeUnit.SECONDS.toMillis(60));
    }
    assertThat(admitted).hasValue(100);
  }

  /** A name that no other test uses. */
  protected final BucketKey key(String what) {
    return BucketKey.in(name).entry("bucket", what).build();
  }

  protected static BucketCharge charge(BucketKey key, Limit limit, Charge charge) {
    return new BucketCharge(key, limit, charge, BucketCharge.Veto.ALONE);
  }

  /** Decides, and waits for the verdicts. */
  protected final List<Verdict> decide(BucketCharge... charges) {
    CompletionStage<List<Verdict>> verdicts = store().decide(List.of(charges));
    return verdicts.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  protected final Verdict take(BucketKey key, Limit limit, long units) {
    return decide(charge(key, limit, new Charge.Take(units))).get(0);
  }

  protected final Verdict look(BucketKey key, Limit limit) {
    return decide(charge(key, limit, new Charge.Look(1))).get(0);
  }
}
