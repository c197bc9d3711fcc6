package dev.sluice.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreContract;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.bucket.Terms;
import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.testing.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SpreadTest {
  private static final Limit TEN = Limit.of(10, Period.DAY);
  private static final Deadline SOON = new Deadline(12);

  private final TestClock clock = new TestClock(1_000_000);
  private final Home[] homes = {new Home(), new Home(), new Home()};
  private final StandIn standIn = standIn();
  private final AtomicInteger returned = new AtomicInteger();
  private final List<Reason> stoodIn = new ArrayList<>();
  private final BucketStore spread = over(homes);

  /** A store in memory that tells what it was asked, and fails or hangs when it is told to. */
  private final class Home implements BucketStore {
    private final BucketStore memory = new InMemoryBucketStore(clock, clock.ticker(), 10_000);
    private final List<List<BucketCharge>> asked = new ArrayList<>();
    private boolean down;

    @Override
    public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
      synchronized (asked) {
        asked.add(List.copyOf(charges));
      }
      // As when the time was up: what was asked is done all the same.
      CompletionStage<List<Verdict>> decision = memory.decide(charges, deadline);
      return down
          ? CompletableFuture.failedFuture(new BucketStoreException(Reason.TIMEOUT, "no answer"))
          : decision;
    }

    long left(String bucket) {
      BucketCharge look = charge(bucket, new Charge.Look(1), Veto.ALONE);
      return memory.decide(List.of(look)).toCompletableFuture().join().get(0).balance().remaining();
    }
  }

  private Spread over(Home... stores) {
    return new Spread(
        new Homes() {
          @Override
          public int part(BucketCharge charge) {
            return Math.floorMod(charge.key().hashCode(), stores.length);
          }

          @Override
          public BucketStore store(int part) {
            return stores[part];
          }
        },
        standIn,
        returned::incrementAndGet);
  }

  private StandIn standIn() {
    LastKnown lastKnown = new LastKnown(clock.ticker()::read, 1_000);
    LocalShares shares =
        new LocalShares(new LocalShares.Memory(clock, clock.ticker(), 1_000), () -> 1, lastKnown);
    return new StandIn(
        new StandIn.Shares(shares, lastKnown),
        new FailurePolicy(shares, () -> 2_000_000),
        clock.ticker()::read,
        new FallbackObserver() {
          @Override
          public void stoodIn(Reason reason, OnFailure policy, Outcome outcome) {
            stoodIn.add(reason);
          }

          @Override
          public void began(Throwable cause) {}

          @Override
          public void ended(Duration length, long calls) {}
        });
  }

  /** What the stand-in has left of a bucket. */
  private long leftHere(String bucket) {
    BucketCharge look = charge(bucket, new Charge.Look(1), Veto.ALONE);
    Throwable failure = new BucketStoreException(Reason.TIMEOUT, "no answer");
    return standIn
        .decide(List.of(look), Deadline.NONE, failure)
        .toCompletableFuture()
        .join()
        .get(0)
        .balance()
        .remaining();
  }

  /** The name of a bucket that lives in that home. */
  private String in(int home, String what) {
    for (int i = 0; ; i++) {
      String name = what + i;
      if (Math.floorMod(key(name).hashCode(), homes.length) == home) {
        return name;
      }
    }
  }

  private static BucketKey key(String bucket) {
    return BucketKey.in("spread").entry("bucket", bucket).build();
  }

  private static BucketCharge charge(String bucket, Charge charge, Veto veto) {
    return new BucketCharge(key(bucket), TEN, charge, veto);
  }

  private static BucketCharge take(String bucket, long units) {
    return charge(bucket, new Charge.Take(units), Veto.ALONE);
  }

  private List<Verdict> decide(BucketCharge... charges) {
    return spread.decide(List.of(charges), SOON).toCompletableFuture().join();
  }

  @Test
  void aRequestWithOneHomeIsHandedOnAsItIs() {
    List<BucketCharge> charges =
        List.of(
            charge(in(1, "a"), new Charge.Take(1), Veto.TOGETHER),
            charge(in(1, "b"), new Charge.Take(11), Veto.TOGETHER));
    CompletionStage<List<Verdict>> decision = spread.decide(charges, SOON);
    assertThat(decision.toCompletableFuture().join()).hasSize(2);
    assertThat(homes[1].asked).containsExactly(charges);
    assertThat(homes[0].asked).isEmpty();
  }

  @Test
  void aRequestWithOneHomeIsDecidedByTheStandInWhenThatFails() {
    homes[1].down = true;
    assertThat(decide(take(in(1, "a"), 1)).get(0).conforms()).isTrue();
    assertThat(stoodIn).containsExactly(Reason.TIMEOUT);
  }

  @Test
  void whatOneHomeTookIsGivenBackWhenAnotherDenies() {
    List<Verdict> verdicts = decide(take(in(0, "a"), 3), take(in(1, "b"), 11), take(in(2, "c"), 1));
    assertThat(verdicts.get(0).conforms()).isTrue();
    assertThat(verdicts.get(0).balance().remaining()).isEqualTo(10);
    assertThat(verdicts.get(1)).isInstanceOf(Verdict.Impossible.class);
    assertThat(homes[0].left(in(0, "a"))).isEqualTo(10);
    assertThat(homes[2].left(in(2, "c"))).isEqualTo(10);
    assertThat(returned).hasValue(2);
  }

  @Test
  void whatWasTakenUpToANumberIsGivenBackToo() {
    List<Verdict> verdicts =
        decide(charge(in(0, "a"), new Charge.UpTo(100), Veto.ALONE), take(in(1, "b"), 11));
    assertThat(verdicts.get(0)).isEqualTo(new Verdict.Allowed(0, verdicts.get(0).balance()));
    assertThat(homes[0].left(in(0, "a"))).isEqualTo(10);
  }

  @Test
  void nothingIsGivenBackThatWasNotTaken() {
    decide(
        charge(in(0, "a"), new Charge.Look(1), Veto.ALONE),
        charge(in(0, "b"), new Charge.Force(4), Veto.ALONE),
        take(in(1, "c"), 11));
    assertThat(homes[0].asked).hasSize(1);
    assertThat(homes[0].left(in(0, "b"))).isEqualTo(6);
    assertThat(returned).hasValue(0);
  }

  @Test
  void aBucketThatComesTwiceGetsBothBack() {
    List<Verdict> verdicts = decide(take(in(0, "a"), 2), take(in(0, "a"), 3), take(in(1, "b"), 11));
    assertThat(verdicts.get(0).balance().remaining()).isEqualTo(10);
    assertThat(verdicts.get(1).balance().remaining()).isEqualTo(10);
    assertThat(homes[0].left(in(0, "a"))).isEqualTo(10);
  }

  @Test
  void aPartThatFailsIsDecidedByTheStandInAndTheOthersKeepWhatTheyTook() {
    homes[1].down = true;
    List<Verdict> verdicts = decide(take(in(0, "a"), 1), take(in(1, "b"), 1));
    assertThat(verdicts).allMatch(Verdict::conforms);
    assertThat(homes[0].left(in(0, "a"))).isEqualTo(9);
    assertThat(stoodIn).hasSize(1);
    assertThat(leftHere(in(1, "b"))).isEqualTo(9);
    assertThat(returned).hasValue(0);
  }

  @Test
  void nothingIsGivenBackForAPartThatFailed() {
    homes[1].down = true;
    decide(take(in(0, "a"), 1), take(in(1, "b"), 1), take(in(2, "c"), 11));
    assertThat(homes[0].left(in(0, "a"))).isEqualTo(10);
    assertThat(homes[1].asked).hasSize(1);
    assertThat(homes[1].left(in(1, "b"))).isEqualTo(9);
    assertThat(leftHere(in(1, "b"))).isEqualTo(10);
  }

  @Test
  void whatTheHomesTookIsGivenBackWhenTheStandInDenies() {
    homes[1].down = true;
    List<Verdict> verdicts = decide(take(in(0, "a"), 1), take(in(1, "b"), 11));
    assertThat(verdicts.get(1).conforms()).isFalse();
    assertThat(homes[0].left(in(0, "a"))).isEqualTo(10);
  }

  @Test
  void whenTheStandInFailsTooSoDoesTheRequestAndTheOthersGiveBack() {
    homes[1].down = true;
    BucketCharge strict =
        new BucketCharge(
            key(in(1, "b")),
            TEN,
            new Charge.Take(1),
            Veto.ALONE,
            new Terms(OnFailure.ERROR, Terms.Priority.DEFAULT, true));
    assertThatThrownBy(() -> decide(take(in(0, "a"), 1), strict))
        .hasCauseInstanceOf(BucketStoreException.class);
    assertThat(homes[0].left(in(0, "a"))).isEqualTo(10);
  }

  @Test
  void chargesThatVetoTogetherDoSoAcrossHomes() {
    BucketCharge fits = charge(in(0, "a"), new Charge.Take(1), Veto.TOGETHER);
    BucketCharge doesNot = charge(in(1, "b"), new Charge.Take(11), Veto.TOGETHER);
    BucketCharge alone = take(in(2, "c"), 1);
    decide(fits, doesNot, alone);
    assertThat(homes[0].left(in(0, "a"))).isEqualTo(9);
    assertThat(homes[2].left(in(2, "c"))).isEqualTo(9);
    decide(charge(in(0, "a"), new Charge.Take(11), Veto.TOGETHER), doesNot, alone);
    assertThat(homes[2].left(in(2, "c"))).isEqualTo(9);
  }

  @Test
  void manyRequestsAtOnceOverTwoHomesTakeExactlyWhatThereIs() throws Exception {
    String narrow = in(0, "narrow");
    AtomicInteger passed = new AtomicInteger();
    Thread[] callers = new Thread[8];
    Arrays.setAll(
        callers,
        n ->
            new Thread(
                () -> {
                  for (int i = 0; i < 50; i++) {
                    boolean all =
                        decide(take(in(1, "wide" + n + "-" + i), 1), take(narrow, 1)).stream()
                            .allMatch(Verdict::conforms);
                    passed.addAndGet(all ? 1 : 0);
                  }
                }));
    for (Thread caller : callers) {
      caller.start();
    }
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(passed).hasValue(10);
    assertThat(homes[0].left(narrow)).isZero();
    assertThat(returned).hasValue(8 * 50 - 10);
  }

  /** The contract of a store. */
  abstract class Stack extends BucketStoreContract {
    @Override
    protected void setClock(long micros) {
      clock.set(micros);
    }
  }

  @Nested
  class OverSeveralHomes extends Stack {
    @Override
    protected BucketStore store() {
      return spread;
    }
  }

  @Nested
  class OverOneHome extends Stack {
    private final BucketStore store = over(homes[0]);

    @Override
    protected BucketStore store() {
      return store;
    }
  }

  /** Every bucket is a part of its own, as in a cluster, and all of them are in one store. */
  @Nested
  class OverParts extends Stack {
    private final BucketStore store = over(new Home[] {homes[0], homes[0], homes[0], homes[0]});

    @Override
    protected BucketStore store() {
      return store;
    }
  }
}
