package dev.sluice.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreContract;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.bucket.Terms;
import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.bucket.Terms.Priority;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.testing.TestClock;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LeasesTest {
  private static final Limit THOUSAND_A_MINUTE = Limit.of(1_000, Period.MINUTE);

  private final TestClock clock = new TestClock(1_790_000_000_000_000L);
  private final InMemoryBucketStore memory = new InMemoryBucketStore(clock, clock.ticker(), 1_000);
  private final Replica replica = new Replica(memory, clock, 5, 1, 100);

  private void pass(long millis) {
    clock.set(clock.micros() + millis * 1_000);
  }

  private Verdict look(Limit limit) {
    BucketCharge look = Replica.charge("a", limit, new Charge.Look(1));
    return memory.decide(List.of(look)).toCompletableFuture().join().get(0);
  }

  /** Asks a hundred times a second for so long. */
  private void rush(Limit limit, int millis) {
    for (int i = 0; i < millis / 10; i++) {
      replica.take(limit, 1);
      pass(10);
    }
  }

  @Test
  void unitsOfABucketThatIsAskedForOftenAreSpentWithoutAskingTheStore() {
    rush(THOUSAND_A_MINUTE, 300);
    long before = replica.wire.sent.size();
    rush(THOUSAND_A_MINUTE, 1_000);
    assertThat(replica.wire.sent.size() - before).isBetween(1L, 8L);
    assertThat(replica.wire.count(Charge.Take.class)).isLessThan(10);
    assertThat(replica.largestShare).isLessThanOrEqualTo(0.05);
  }

  @Test
  void aBucketThatIsAskedForRarelyIsNotLeased() {
    for (int i = 0; i < 20; i++) {
      replica.take(THOUSAND_A_MINUTE, 1);
      pass(1_500);
    }
    assertThat(replica.wire.count(Charge.UpTo.class)).isZero();
    assertThat(replica.wire.count(Charge.Take.class)).isEqualTo(20);
  }

  @Test
  void aSmallLimitIsNotLeased() {
    rush(Limit.of(39, Period.MINUTE), 2_000);
    assertThat(replica.granted).isZero();
    Replica oneOfMany = new Replica(memory, clock, 5, 26, 100);
    for (int i = 0; i < 100; i++) {
      oneOfMany.take(THOUSAND_A_MINUTE, 1);
    }
    assertThat(oneOfMany.granted).isZero();
  }

  @Test
  void aRuleWithoutLeasesIsAskedEachTime() {
    Terms strict = new Terms(OnFailure.LOCAL, Priority.DEFAULT, false);
    BucketCharge charge =
        new BucketCharge(
            Replica.key("a"), THOUSAND_A_MINUTE, new Charge.Take(1), Veto.ALONE, strict);
    for (int i = 0; i < 50; i++) {
      replica.decide(charge);
    }
    assertThat(replica.wire.count(Charge.Take.class)).isEqualTo(50);
    assertThat(replica.granted).isZero();
  }

  @Test
  void whatAnswersSayOfTheBucketIsWhatAStrictStoreWouldSay() {
    Limit limit = Limit.of(6_000, Period.MINUTE);
    InMemoryBucketStore strict = new InMemoryBucketStore(clock, clock.ticker(), 10);
    BucketCharge take = Replica.charge("a", limit, new Charge.Take(3));
    for (int i = 0; i < 300; i++) {
      Verdict verdict = replica.take(limit, 3);
      Verdict expected = strict.decide(List.of(take)).toCompletableFuture().join().get(0);
      if (replica.held() == 0 || i % 7 != 0) {
        pass(7);
      }
      assertThat(verdict.balance().remaining())
          .isBetween(expected.balance().remaining() - 300, expected.balance().remaining());
      assertThat(verdict.conforms()).isTrue();
    }
    assertThat(replica.spent).isGreaterThan(600);
  }

  @Test
  void aRefillIsNobodysRequestAndNoStandInGrantsIt() {
    rush(THOUSAND_A_MINUTE, 500);
    List<BucketCharge> refills =
        replica.wire.sent.stream().filter(it -> it.charge() instanceof Charge.UpTo).toList();
    assertThat(refills).isNotEmpty();
    assertThat(refills).allMatch(it -> it.terms().onFailure() == OnFailure.ERROR);
    assertThat(refills).allMatch(it -> ((Charge.UpTo) it.charge()).share() == 5);
  }

  @Test
  void onlyOneRefillIsUnderWayAndNobodyWaitsForIt() {
    replica.wire.refills = Wire.Mode.HELD;
    rush(THOUSAND_A_MINUTE, 500);
    assertThat(replica.wire.count(Charge.UpTo.class)).isEqualTo(1);
    assertThat(replica.wire.count(Charge.Take.class)).isEqualTo(50);
    replica.wire.deliver();
    assertThat(replica.granted).isPositive();
    rush(THOUSAND_A_MINUTE, 10);
    assertThat(replica.wire.count(Charge.Take.class)).isEqualTo(50);
  }

  @Test
  void unitsWhoseTimeIsOverAreNotSpentAndGoBack() {
    rush(THOUSAND_A_MINUTE, 500);
    long held = replica.held();
    assertThat(held).isPositive();
    pass(2_000);
    long taken = replica.wire.count(Charge.Take.class);
    long spent = replica.spent;
    replica.wire.refills = Wire.Mode.CUT;
    assertThat(replica.take(THOUSAND_A_MINUTE, 1).conforms()).isTrue();
    assertThat(replica.spent).isEqualTo(spent);
    assertThat(replica.wire.count(Charge.Take.class)).isEqualTo(taken + 1);
    replica.leases.giveBackEnded();
    assertThat(replica.calledBack).isEqualTo(held);
    assertThat(replica.held()).isZero();
    assertThat(replica.lost).isZero();
  }

  @Test
  void theLifeOfUnitsBeginsWhenTheyAreAskedFor() {
    replica.wire.refills = Wire.Mode.HELD;
    rush(THOUSAND_A_MINUTE, 300);
    pass(2_000);
    replica.wire.deliver();
    assertThat(replica.granted).isPositive();
    assertThat(replica.largestShare).isZero();
    replica.take(THOUSAND_A_MINUTE, 1);
    assertThat(replica.spent).isZero();
    replica.leases.giveBackEnded();
    assertThat(replica.calledBack).isEqualTo(replica.granted);
  }

  @Test
  void whenTheLimitChangesNothingOfTheOldOneIsSpentAndItGoesBack() {
    rush(THOUSAND_A_MINUTE, 500);
    long held = replica.held();
    long spent = replica.spent;
    Limit lowered = Limit.of(100, Period.MINUTE);
    replica.take(lowered, 1);
    assertThat(replica.spent).isEqualTo(spent);
    replica.leases.giveBackEnded();
    assertThat(replica.calledBack).isEqualTo(held);
    rush(lowered, 1_000);
    assertThat(replica.spent).isEqualTo(spent);
  }

  @Test
  void aGrantForALimitThatHasChangedMeanwhileGoesBack() {
    replica.wire.refills = Wire.Mode.HELD;
    rush(THOUSAND_A_MINUTE, 300);
    replica.take(Limit.of(900, Period.MINUTE), 1);
    replica.wire.deliver();
    replica.leases.giveBackEnded();
    assertThat(replica.granted).isPositive();
    assertThat(replica.calledBack).isEqualTo(replica.granted);
  }

  @Test
  void aRefillWhoseAnswerIsLostGrantsNothing() {
    replica.wire.refills = Wire.Mode.LOST;
    rush(THOUSAND_A_MINUTE, 1_000);
    assertThat(replica.granted).isZero();
    assertThat(replica.wire.count(Charge.Take.class)).isEqualTo(100);
    assertThat(replica.wire.count(Charge.UpTo.class)).isBetween(2L, 5L);
  }

  @Test
  void whatIsHeldIsSpentWhileTheStoreIsDownAndThenItsFailureIsTold() {
    rush(THOUSAND_A_MINUTE, 500);
    replica.wire.mode = Wire.Mode.CUT;
    long held = replica.held();
    for (int i = 0; i < held; i++) {
      assertThat(replica.take(THOUSAND_A_MINUTE, 1).conforms()).isTrue();
    }
    assertThatThrownBy(() -> replica.take(THOUSAND_A_MINUTE, 1))
        .hasCauseInstanceOf(BucketStoreException.class);
  }

  @Test
  void aChargeIsNeverSplit() {
    rush(THOUSAND_A_MINUTE, 500);
    long held = replica.held();
    replica.wire.refills = Wire.Mode.CUT;
    replica.wire.sent.clear();
    assertThat(replica.take(THOUSAND_A_MINUTE, held + 1).conforms()).isTrue();
    assertThat(replica.wire.sent.get(0).charge()).isEqualTo(new Charge.Take(held + 1));
    assertThat(replica.held()).isEqualTo(held);
    replica.wire.sent.clear();
    assertThat(replica.take(THOUSAND_A_MINUTE, held).conforms()).isTrue();
    assertThat(replica.wire.count(Charge.Take.class)).isZero();
  }

  @Test
  void aGroupIsSpentHereOnlyIfAllOfItIsHeld() {
    BucketCharge one = Replica.charge("a", THOUSAND_A_MINUTE, new Charge.Take(1));
    BucketCharge other = Replica.charge("b", THOUSAND_A_MINUTE, new Charge.Take(1));
    rush(THOUSAND_A_MINUTE, 500);
    long held = replica.held();
    replica.wire.sent.clear();
    replica.decide(one, other);
    assertThat(replica.wire.count(Charge.Take.class)).isEqualTo(2);
    assertThat(replica.held()).isEqualTo(held);
    for (int i = 0; i < 30; i++) {
      replica.decide(one, other, one);
      pass(10);
    }
    replica.wire.sent.clear();
    long spent = replica.spent;
    List<Verdict> verdicts = replica.decide(one, other, one);
    assertThat(replica.wire.count(Charge.Take.class)).isZero();
    assertThat(replica.spent).isEqualTo(spent + 3);
    assertThat(verdicts.get(0).balance().remaining())
        .isEqualTo(verdicts.get(2).balance().remaining() + 1);
  }

  @Test
  void lookingAndReportingIsAlwaysAskedFor() {
    rush(THOUSAND_A_MINUTE, 500);
    replica.wire.sent.clear();
    for (Charge charge :
        List.of(new Charge.Look(1), new Charge.Force(1), new Charge.Give(1), new Charge.UpTo(1))) {
      replica.decide(Replica.charge("a", THOUSAND_A_MINUTE, charge));
    }
    assertThat(replica.wire.sent).hasSize(4);
  }

  @Test
  void atTheEndEverythingGoesBack() {
    rush(THOUSAND_A_MINUTE, 500);
    assertThat(replica.held()).isPositive();
    replica.wire.refills = Wire.Mode.HELD;
    while (replica.wire.count(Charge.UpTo.class) < 10 && replica.held() > 0) {
      replica.take(THOUSAND_A_MINUTE, 1);
    }
    var done = replica.leases.giveBackAll().toCompletableFuture();
    replica.wire.deliver();
    assertThat(done).isCompleted();
    assertThat(replica.held()).isZero();
    pass(60_000);
    replica.wire.sent.clear();
    replica.take(THOUSAND_A_MINUTE, 1);
    assertThat(replica.wire.count(Charge.Take.class)).isEqualTo(1);
  }

  @Test
  void unitsGivenBackAreInTheBucketAgain() {
    Limit slow = Limit.of(1_000, Period.YEAR);
    for (int i = 0; i < 30; i++) {
      replica.take(slow, 1);
    }
    assertThat(replica.held()).isPositive();
    assertThat(look(slow).balance().remaining()).isEqualTo(970 - replica.held());
    var unused = replica.leases.giveBackAll();
    assertThat(look(slow).balance().remaining()).isEqualTo(970);
  }

  @Test
  void whatDoesNotArriveOnItsWayBackIsToldAndNotSentAgain() {
    rush(THOUSAND_A_MINUTE, 500);
    long held = replica.held();
    pass(2_000);
    replica.wire.mode = Wire.Mode.LOST;
    replica.leases.giveBackEnded();
    replica.wire.mode = Wire.Mode.PROMPT;
    replica.wire.sent.clear();
    replica.leases.giveBackEnded();
    assertThat(replica.lost).isEqualTo(held);
    assertThat(replica.wire.sent).isEmpty();
  }

  @Test
  void aBucketThatIsForgottenGivesItsUnitsBack() {
    Replica small = new Replica(memory, clock, 5, 1, 1);
    for (int i = 0; i < 2_000; i++) {
      small.decide(Replica.charge("k" + i / 20, THOUSAND_A_MINUTE, new Charge.Take(1)));
    }
    small.leases.giveBackEnded();
    assertThat(small.calledBack).isGreaterThan(1_000);
    assertThat(small.held()).isLessThanOrEqualTo(100);
  }

  @Test
  void theLastUnitsOfABucketAreAdmittedToTheUnit() {
    Limit slow = Limit.of(1_000, Period.YEAR);
    int admitted = 0;
    for (int i = 0; i < 1_200; i++) {
      admitted += replica.takes(slow, 1) ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(1_000);
  }

  @Test
  void aDenialIsNotTheLastWordIfUnitsHaveArrivedMeanwhile() {
    Limit slow = Limit.of(1_000, Period.YEAR);
    replica.wire.refills = Wire.Mode.HELD;
    replica.take(slow, 40);
    replica.take(slow, 40);
    assertThat(replica.wire.count(Charge.UpTo.class)).isEqualTo(1);
    long rest = look(slow).balance().remaining();
    memory.decide(List.of(Replica.charge("a", slow, new Charge.Take(rest))));
    replica.wire.mode = Wire.Mode.HELD;
    var answer =
        replica.leases.decide(
            List.of(Replica.charge("a", slow, new Charge.Take(1))),
            dev.sluice.bucket.Deadline.NONE);
    replica.wire.deliver();
    assertThat(answer.toCompletableFuture().join().get(0).conforms()).isTrue();
  }

  /** Leases that may hold nothing, which is what strict is. */
  @Nested
  class Contract extends BucketStoreContract {
    private final NoticedClock own = new NoticedClock();
    private final BucketStore store =
        new Leases(
            new DenyCache(
                new InMemoryBucketStore(own, own.ticker(), 1_000),
                own::nanos,
                1_000,
                false,
                charges -> {}),
            own::nanos,
            new LeaseSize(1, () -> Integer.MAX_VALUE),
            100,
            replica);

    @Override
    protected BucketStore store() {
      return store;
    }

    @Override
    protected void setClock(long micros) {
      own.set(micros);
    }
  }
}
