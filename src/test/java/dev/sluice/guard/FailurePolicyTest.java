package dev.sluice.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.bucket.Terms;
import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.bucket.Vote;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.testing.TestClock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of charges whose store does not decide. */
final class FailurePolicyTest {
  private static final long WAIT = 2_000_000;
  private static final Limit FIVE = Limit.of(5, Period.HOUR);

  private final TestClock clock = new TestClock(1_000_000);
  private final FailurePolicy policy =
      new FailurePolicy(new InMemoryBucketStore(clock, clock.ticker(), 100), () -> WAIT);

  @Test
  void allowLetsEverythingPassThatTheLimitCouldEverLetPass() {
    for (int i = 0; i < 100; i++) {
      assertThat(decide(take("open", OnFailure.ALLOW, 5)).get(0))
          .isInstanceOfSatisfying(
              Verdict.Allowed.class,
              it -> {
                assertThat(it.granted()).isEqualTo(5);
                assertThat(it.balance().remaining()).isEqualTo(5);
              });
    }
    assertThat(decide(take("open", OnFailure.ALLOW, 6)).get(0))
        .isInstanceOf(Verdict.Impossible.class);
  }

  @Test
  void denySendsEverybodyAwayForAMoment() {
    assertThat(decide(take("login", OnFailure.DENY, 1)).get(0))
        .isInstanceOfSatisfying(
            Verdict.Denied.class,
            it -> {
              assertThat(it.retryAfterMicros()).isEqualTo(WAIT);
              assertThat(it.balance().remaining()).isZero();
              assertThat(it.balance().resetAfterMicros()).isEqualTo(WAIT);
            });
    assertThat(decide(take("login", OnFailure.DENY, 6)).get(0))
        .isInstanceOf(Verdict.Impossible.class);
  }

  @Test
  void localTakesFromABucketHere() {
    assertThat(decide(take("k", OnFailure.LOCAL, 5)).get(0).conforms()).isTrue();
    assertThat(decide(take("k", OnFailure.LOCAL, 1)).get(0).conforms()).isFalse();
  }

  @Test
  void errorFailsTheGroupAndTakesNothing() {
    BucketCharge here = take("k", OnFailure.LOCAL, 5);
    assertThat(future(here, take("e", OnFailure.ERROR, 1))).isCompletedExceptionally();
    assertThatThrownBy(() -> decide(take("e", OnFailure.ERROR, 1)))
        .hasCauseInstanceOf(BucketStoreException.class)
        .hasMessageContaining("on_backend_failure of a rule is error");
    assertThat(decide(here).get(0).conforms()).isTrue();
  }

  @ParameterizedTest(name = "{0} and {1}: {2}")
  @CsvSource({
    "ALLOW, ALLOW, allowed",
    "ALLOW, LOCAL, allowed",
    "ALLOW, ERROR, fails",
    "ALLOW, DENY, denied",
    "LOCAL, ERROR, fails",
    "LOCAL, DENY, denied",
    "ERROR, DENY, denied",
    "DENY, DENY, denied",
  })
  void denyBeatsErrorBeatsLocalBeatsAllow(OnFailure one, OnFailure other, String expected) {
    List<BucketCharge> group = List.of(take("a", one, 1), take("b", other, 1));
    List<BucketCharge> reversed = List.of(group.get(1), group.get(0));
    assertThat(becomes(group)).isEqualTo(expected);
    assertThat(becomes(reversed)).isEqualTo(expected);
    assertThat(FailurePolicy.strictest(group)).isEqualTo(one.compareTo(other) > 0 ? one : other);
    assertThat(FailurePolicy.strictest(reversed)).isEqualTo(FailurePolicy.strictest(group));
  }

  @Test
  void anEmptyLocalBucketBeatsAllow() {
    decide(take("a", OnFailure.LOCAL, 5));
    List<Verdict> verdicts = decide(take("a", OnFailure.LOCAL, 1), take("b", OnFailure.ALLOW, 3));
    assertThat(verdicts.get(0).conforms()).isFalse();
    assertThat(verdicts.get(1)).matches(it -> ((Verdict.Allowed) it).granted() == 0);
  }

  @Test
  void whatADenialDeniesIsNotTakenFromTheLocalBuckets() {
    List<Verdict> verdicts = decide(take("a", OnFailure.LOCAL, 5), take("b", OnFailure.DENY, 1));
    assertThat(verdicts).extracting(Verdict::conforms).containsExactly(true, false);
    assertThat(verdicts.get(0).balance().remaining()).isEqualTo(5);
    assertThat(decide(take("a", OnFailure.LOCAL, 5)).get(0).conforms()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(OnFailure.class)
  void aRuleThatIsOnlyWatchedNeitherDeniesNorFails(OnFailure watched) {
    BucketCharge shadow = charge("s", watched, new Charge.Take(1), Veto.NEVER);
    assertThat(becomes(List.of(shadow))).isEqualTo("allowed");
    assertThat(becomes(List.of(shadow, take("a", OnFailure.LOCAL, 1)))).isEqualTo("allowed");
    assertThat(FailurePolicy.strictest(List.of(shadow, take("a", OnFailure.ALLOW, 1))))
        .isEqualTo(OnFailure.ALLOW);
    assertThat(decide(shadow).get(0).conforms()).isEqualTo(watched != OnFailure.DENY);
  }

  @Test
  void quotaRulesDenyTogetherWhateverTheirPolicies() {
    BucketCharge denied = charge("a", OnFailure.DENY, new Charge.Take(1), Veto.TOGETHER);
    BucketCharge local = charge("b", OnFailure.LOCAL, new Charge.Take(5), Veto.TOGETHER);
    BucketCharge open = charge("c", OnFailure.ALLOW, new Charge.Take(1), Veto.TOGETHER);
    assertThat(becomes(List.of(denied))).isEqualTo("denied");
    assertThat(becomes(List.of(denied, local))).isEqualTo("allowed");
    assertThat(becomes(List.of(denied, local))).isEqualTo("denied");
    assertThat(becomes(List.of(denied, local, open))).isEqualTo("allowed");
  }

  @Test
  void reportsAndGiftsAreNotRecordedWhereTheyAreDenied() {
    Charge report = new Charge.Force(3);
    assertThat(decide(charge("r", OnFailure.DENY, report, Veto.ALONE)).get(0))
        .isInstanceOf(Verdict.Denied.class);
    assertThat(decide(charge("r", OnFailure.ALLOW, report, Veto.ALONE)).get(0))
        .isInstanceOfSatisfying(Verdict.Recorded.class, it -> assertThat(it.conforms()).isTrue());
    assertThat(decide(charge("r", OnFailure.LOCAL, report, Veto.ALONE)).get(0).balance())
        .matches(it -> it.remaining() == 2);
    for (OnFailure each : List.of(OnFailure.ALLOW, OnFailure.DENY)) {
      assertThat(decide(charge("r", each, new Charge.Give(2), Veto.ALONE)).get(0))
          .matches(it -> ((Verdict.Allowed) it).granted() == 0);
    }
  }

  @Test
  void aLookTakesNothingUnderAnyPolicy() {
    Charge look = new Charge.Look(1);
    assertThat(decide(charge("l", OnFailure.ALLOW, look, Veto.ALONE)).get(0))
        .matches(it -> ((Verdict.Allowed) it).granted() == 0);
    assertThat(decide(charge("l", OnFailure.DENY, look, Veto.ALONE)).get(0).conforms()).isFalse();
    assertThat(decide(charge("l", OnFailure.LOCAL, look, Veto.ALONE)).get(0).balance())
        .matches(it -> it.remaining() == 5);
  }

  @ParameterizedTest
  @EnumSource(value = OnFailure.class, mode = EnumSource.Mode.EXCLUDE, names = "ERROR")
  void everyBalanceIsAnAssumedOne(OnFailure each) {
    assertThat(decide(take("b", each, 1)).get(0).balance().assumed()).isTrue();
    assertThat(decide(take("b", each, 6)).get(0).balance().assumed()).isTrue();
  }

  @Test
  void moreThanTheShareButNotThanTheLimitIsDeniedForNow() {
    LastKnown nothing = new LastKnown(() -> clock.ticker().read(), 1);
    LocalShares shares =
        new LocalShares(new LocalShares.Memory(clock, clock.ticker(), 100), () -> 2, nothing);
    FailurePolicy shared = new FailurePolicy(shares, () -> WAIT);
    assertThat(shared.decide(List.of(take("k", OnFailure.LOCAL, 3))).toCompletableFuture().join())
        .containsExactly(
            new Verdict.Denied(
                WAIT,
                new dev.sluice.limit.Balance(
                    2,
                    new dev.sluice.limit.Micros(WAIT, 0),
                    WAIT,
                    dev.sluice.limit.Balance.Origin.ASSUMED)));
    assertThat(shared.decide(List.of(take("k", OnFailure.LOCAL, 6))).toCompletableFuture().join())
        .first()
        .isInstanceOf(Verdict.Impossible.class);
  }

  private String becomes(List<BucketCharge> group) {
    CompletableFuture<List<Verdict>> decided = future(group.toArray(BucketCharge[]::new));
    if (decided.isCompletedExceptionally()) {
      return "fails";
    }
    Vote vote = new Vote();
    for (int i = 0; i < group.size(); i++) {
      vote.count(group.get(i).veto(), decided.join().get(i).conforms());
    }
    return vote.allows() ? "allowed" : "denied";
  }

  private List<Verdict> decide(BucketCharge... charges) {
    return future(charges).join();
  }

  private CompletableFuture<List<Verdict>> future(BucketCharge... charges) {
    return policy.decide(List.of(charges), Deadline.NONE).toCompletableFuture();
  }

  private static BucketCharge take(String name, OnFailure onFailure, long units) {
    return charge(name, onFailure, new Charge.Take(units), Veto.ALONE);
  }

  private static BucketCharge charge(String name, OnFailure onFailure, Charge charge, Veto veto) {
    BucketKey key = BucketKey.in("policy").entry("bucket", name).build();
    Terms terms = new Terms(onFailure, Terms.Priority.DEFAULT, false);
    return new BucketCharge(key, FIVE, charge, veto, terms);
  }
}
