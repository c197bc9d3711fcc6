package dev.sluice.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreContract;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.testing.LeakyMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DenyCacheTest {
  private static final long NOW = 1_790_000_000_000_000L;
  private static final Limit TWO_A_SECOND = Limit.of(2, Period.SECOND);
  private static final Limit TWO_A_DAY = Limit.of(2, Period.DAY);

  private final NoticedClock clock = new NoticedClock();
  private final InMemoryBucketStore memory = new InMemoryBucketStore(clock, clock.ticker(), 1_000);
  private final List<List<BucketCharge>> asked = new ArrayList<>();
  private final List<Integer> denied = new ArrayList<>();
  private final DenyCache cache = over(memory, false);

  DenyCacheTest() {
    clock.set(NOW);
  }

  private DenyCache over(BucketStore store, boolean paces) {
    BucketStore watched =
        (charges, deadline) -> {
          asked.add(charges);
          return store.decide(charges, deadline);
        };
    return new DenyCache(watched, clock::nanos, 1_000, paces, denied::add);
  }

  private static BucketKey key(String name) {
    return BucketKey.in("d").entry("k", name).build();
  }

  private static BucketCharge charge(String name, Limit limit, Charge charge) {
    return new BucketCharge(key(name), limit, charge, Veto.ALONE);
  }

  private List<Verdict> decide(BucketStore store, BucketCharge... charges) {
    return store.decide(List.of(charges), Deadline.NONE).toCompletableFuture().join();
  }

  private Verdict take(BucketStore store, Limit limit, long units) {
    return decide(store, charge("a", limit, new Charge.Take(units))).get(0);
  }

  /** What verdicts say, whoever says it. */
  private static String said(List<Verdict> verdicts) {
    return verdicts.toString().replace("origin=REMEMBERED", "origin=BUCKET");
  }

  /** Empties the bucket, is denied once, and forgets what was asked. */
  private void exhaust(Limit limit) {
    take(cache, limit, limit.burst());
    assertThat(take(cache, limit, 1).conforms()).isFalse();
    asked.clear();
  }

  @Test
  void aDenialIsAnsweredUntilTheMicrosecondAtWhichItIsOver() {
    exhaust(TWO_A_SECOND);
    clock.pass(499_999);
    Verdict last = take(cache, TWO_A_SECOND, 1);
    assertThat(last).isEqualTo(new Verdict.Denied(1, last.balance()));
    assertThat(asked).isEmpty();
    assertThat(denied).containsExactly(1);
    clock.pass(1);
    assertThat(take(cache, TWO_A_SECOND, 1).conforms()).isTrue();
    assertThat(asked).hasSize(1);
  }

  @Test
  void aDenialSaysWhetherItIsRemembered() {
    take(cache, TWO_A_DAY, 2);
    assertThat(take(cache, TWO_A_DAY, 1).balance().remembered()).isFalse();
    assertThat(take(cache, TWO_A_DAY, 1).balance().remembered()).isTrue();
    assertThat(take(cache, TWO_A_DAY, 3).balance().remembered()).isTrue();
    assertThat(cache.size()).isEqualTo(1);
    clock.pass(1_000_001);
    assertThat(cache.size()).isZero();
  }

  @Test
  void aLargerChargeIsDeniedTooAndASmallerOneIsAsked() {
    take(cache, Limit.of(10, Period.DAY), 7);
    take(cache, Limit.of(10, Period.DAY), 5);
    asked.clear();
    assertThat(take(cache, Limit.of(10, Period.DAY), 6)).isInstanceOf(Verdict.Denied.class);
    assertThat(take(cache, Limit.of(10, Period.DAY), 11)).isInstanceOf(Verdict.Impossible.class);
    assertThat(asked).isEmpty();
    assertThat(take(cache, Limit.of(10, Period.DAY), 3).conforms()).isTrue();
  }

  @Test
  void whatNeverConformsIsRememberedToo() {
    assertThat(take(cache, TWO_A_DAY, 3)).isInstanceOf(Verdict.Impossible.class);
    assertThat(take(cache, TWO_A_DAY, 3)).isInstanceOf(Verdict.Impossible.class);
    assertThat(asked).hasSize(1);
    assertThat(take(cache, TWO_A_DAY, 2).conforms()).isTrue();
  }

  @Test
  void afterASecondTheStoreIsAskedAgain() {
    exhaust(TWO_A_DAY);
    clock.pass(999_999);
    take(cache, TWO_A_DAY, 1);
    assertThat(asked).isEmpty();
    // Another replica gives a unit back.
    decide(memory, charge("a", TWO_A_DAY, new Charge.Give(1)));
    clock.pass(1);
    assertThat(take(cache, TWO_A_DAY, 1).conforms()).isTrue();
  }

  @Test
  void aChangedLimitIsAskedAtOnce() {
    exhaust(TWO_A_DAY);
    assertThat(take(cache, Limit.of(3, Period.DAY), 1).conforms()).isTrue();
  }

  @Test
  void aGiftIsSeenAtOnce() {
    exhaust(TWO_A_DAY);
    decide(cache, charge("a", TWO_A_DAY, new Charge.Give(1)));
    assertThat(take(cache, TWO_A_DAY, 1).conforms()).isTrue();
  }

  @Test
  void aDenialFromBeforeAGiftThatIsAnsweredMeanwhileIsForgotten() {
    CompletableFuture<List<Verdict>> held = new CompletableFuture<>();
    List<List<Verdict>> gifts = new ArrayList<>();
    DenyCache slow =
        over(
            (charges, deadline) -> {
              List<Verdict> verdicts = memory.decide(charges).toCompletableFuture().join();
              if (charges.get(0).charge() instanceof Charge.Give) {
                gifts.add(verdicts);
                return held;
              }
              return CompletableFuture.completedFuture(verdicts);
            },
            false);
    take(slow, TWO_A_DAY, 2);
    var unused = slow.decide(List.of(charge("a", TWO_A_DAY, new Charge.Give(1))));
    // Stands for a denial that was decided before the gift, and arrives before its answer.
    take(memory, TWO_A_DAY, 1);
    take(slow, TWO_A_DAY, 1);
    decide(memory, charge("a", TWO_A_DAY, new Charge.Give(1)));
    held.complete(gifts.get(0));
    assertThat(take(slow, TWO_A_DAY, 1).conforms()).isTrue();
  }

  @Test
  void whatASmallerChargeTakesIsSeenInTheNextDenial() {
    Limit ten = Limit.of(10, Period.DAY);
    take(cache, ten, 6);
    take(cache, ten, 5);
    take(cache, ten, 2);
    Verdict denied = take(cache, ten, 5);
    assertThat(denied.balance().remaining()).isEqualTo(2);
  }

  @Test
  void aReportIsNeverAnsweredHere() {
    exhaust(TWO_A_DAY);
    decide(cache, charge("a", TWO_A_DAY, new Charge.Force(1)));
    decide(
        cache,
        charge("a", TWO_A_DAY, new Charge.Take(1)),
        charge("b", TWO_A_DAY, new Charge.Force(1)));
    assertThat(asked).hasSize(2);
  }

  @Test
  void aGroupIsAnsweredIfAllOfItIsKnown() {
    exhaust(TWO_A_DAY);
    decide(cache, charge("b", TWO_A_DAY, new Charge.Take(2)));
    BucketCharge known = charge("a", TWO_A_DAY, new Charge.Take(1));
    BucketCharge watched =
        new BucketCharge(key("b"), TWO_A_DAY, new Charge.Take(1), BucketCharge.Veto.NEVER);
    asked.clear();

    List<Verdict> first = decide(cache, known, watched);
    assertThat(asked).hasSize(1);
    assertThat(said(decide(cache, known, watched))).isEqualTo(said(first));
    assertThat(decide(cache, watched, watched)).hasSize(2);
    assertThat(asked).hasSize(1);
    assertThat(denied).containsExactly(2, 2);
  }

  @Test
  void aBucketThatTheGroupItselfWouldHaveEmptiedIsNotTakenForEmpty() {
    take(cache, TWO_A_DAY, 1);
    BucketCharge one = charge("a", TWO_A_DAY, new Charge.Take(1));
    List<Verdict> verdicts = decide(cache, one, one);
    assertThat(verdicts.get(1).conforms()).isFalse();
    assertThat(decide(cache, one).get(0).conforms()).isTrue();
  }

  @Test
  void aSlowStoreMakesADenialShorterAndTheWaitThatIsToldLonger() {
    DenyCache slow =
        over(
            (charges, deadline) -> {
              clock.pass(30_000);
              List<Verdict> verdicts = memory.decide(charges).toCompletableFuture().join();
              clock.pass(20_000);
              return CompletableFuture.completedFuture(verdicts);
            },
            false);
    take(slow, TWO_A_SECOND, 2);
    Verdict denied = take(slow, TWO_A_SECOND, 1);
    assertThat(denied).isEqualTo(new Verdict.Denied(450_000, denied.balance()));
    // Asked 50 ms ago and decided 20 ms ago: 430 ms are left, which is not known here.
    Verdict again = take(slow, TWO_A_SECOND, 1);
    assertThat(again).isEqualTo(new Verdict.Denied(450_000, again.balance()));
    asked.clear();
    clock.pass(399_999);
    take(slow, TWO_A_SECOND, 1);
    assertThat(asked).isEmpty();
    clock.pass(1);
    take(slow, TWO_A_SECOND, 1);
    assertThat(asked).hasSize(1);
  }

  @Test
  void aPacedBucketIsLeftAloneForAMoment() {
    Limit fast = Limit.of(100_000, Period.SECOND);
    DenyCache paced = over(memory, true);
    take(paced, fast, fast.burst());
    take(paced, fast, 1);
    asked.clear();
    clock.pass(9_990);
    Verdict kept = take(paced, fast, 1);
    assertThat(kept).isEqualTo(new Verdict.Denied(10, kept.balance()));
    assertThat(asked).isEmpty();
    assertThat(decide(paced, charge("a", fast, new Charge.Look(1))).get(0).conforms()).isTrue();
    clock.pass(10);
    assertThat(take(paced, fast, 1_000).conforms()).isTrue();
  }

  @Test
  void aSmallBucketIsLeftAloneForATwentiethOfTheTimeInWhichItFills() {
    assertThat(Pace.nanos(Limit.of(1_000, Period.SECOND, 20))).isEqualTo(1_000_000);
    assertThat(Pace.nanos(Limit.of(1_000, Period.SECOND))).isEqualTo(10_000_000);
    assertThat(Pace.nanos(Limit.of(1, Period.YEAR, 30))).isEqualTo(10_000_000);
  }

  /** One step of a random course: what is charged, and how long nothing happens then. */
  record Step(Charge charge, long pauseMicros) {}

  @Provide
  Arbitrary<List<Step>> courses() {
    Arbitrary<Charge> charges =
        Combinators.combine(Arbitraries.integers().between(0, 9), Arbitraries.longs().between(1, 6))
            .as(DenyCacheTest::anyCharge);
    Arbitrary<Long> pauses =
        Arbitraries.oneOf(
            Arbitraries.just(0L),
            Arbitraries.longs().between(0, 1_000),
            Arbitraries.longs().between(0, 400_000));
    return Combinators.combine(charges, pauses).as(Step::new).list().ofMaxSize(120);
  }

  @Provide
  Arbitrary<Limit> limits() {
    return Arbitraries.of(
        Limit.of(5, Period.SECOND),
        Limit.of(7, Period.SECOND, 3),
        Limit.of(999_983, Period.SECOND, 4),
        Limit.of(701, Period.MINUTE, 5),
        Limit.of(3, Period.HOUR));
  }

  private static Charge anyCharge(int kind, long units) {
    return switch (kind) {
      case 0 -> new Charge.Give(units);
      case 1 -> new Charge.Force(units);
      case 2 -> new Charge.Look(units);
      case 3 -> new Charge.UpTo(units);
      default -> new Charge.Take(units);
    };
  }

  @Property
  void whateverIsAskedTheAnswersAreThoseOfTheStoreToTheMicrosecond(
      @ForAll("limits") Limit limit, @ForAll("courses") @Size(min = 1) List<Step> course) {
    InMemoryBucketStore bare = new InMemoryBucketStore(clock, clock.ticker(), 10);
    DenyCache cached = over(new InMemoryBucketStore(clock, clock.ticker(), 10), false);
    for (Step step : course) {
      BucketCharge charge = charge("a", limit, step.charge);
      assertThat(said(decide(cached, charge))).isEqualTo(said(decide(bare, charge)));
      clock.pass(step.pauseMicros);
    }
  }

  @Property
  void pacedOrNotNoMoreIsAdmittedThanTheLimitAllows(
      @ForAll("limits") Limit limit, @ForAll("courses") @Size(min = 1) List<Step> course) {
    DenyCache paced = over(new InMemoryBucketStore(clock, clock.ticker(), 10), true);
    LeakyMeter meter = new LeakyMeter(limit);
    long start = clock.micros();
    for (Step step : course) {
      long units = step.charge.units();
      boolean admitted =
          decide(paced, charge("a", limit, new Charge.Take(units))).get(0).conforms();
      meter.admit(clock.micros() - start, admitted ? units : 0);
      clock.pass(step.pauseMicros);
    }
    assertThat(meter.overshoot()).isNotPositive();
  }

  @Nested
  class Contract extends BucketStoreContract {
    @Override
    protected BucketStore store() {
      return cache;
    }

    @Override
    protected void setClock(long micros) {
      clock.set(micros);
    }
  }
}
