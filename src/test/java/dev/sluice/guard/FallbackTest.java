package dev.sluice.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreContract;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.testing.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FallbackTest {
  private final TestClock clock = new TestClock(1_000_000);
  private final List<String> seen = new ArrayList<>();
  private final FallbackObserver observer =
      new FallbackObserver() {
        @Override
        public void stoodIn(Reason reason, OnFailure policy, Outcome outcome) {
          seen.add("stood in");
        }

        @Override
        public void began(Throwable cause) {
          seen.add("began: " + cause.getMessage());
        }

        @Override
        public void ended(Duration length, long decisions) {
          seen.add("ended: " + length.toMillis() + " ms, " + decisions);
        }
      };
  private final BucketStore store = over(memory());
  private boolean down;
  private boolean thrown;
  private int servers = 1;
  private Reason reason = Reason.TIMEOUT;
  private String why = "no answer";

  private BucketStore memory() {
    return new InMemoryBucketStore(clock, clock.ticker(), 1_000);
  }

  private Fallback over(BucketStore store) {
    BucketStore breakable =
        (charges, deadline) ->
            down
                ? CompletableFuture.failedFuture(new BucketStoreException(reason, why))
                : working(store).decide(charges);
    LastKnown lastKnown = new LastKnown(clock.ticker()::read, 1_000);
    LocalShares shares =
        new LocalShares(
            new LocalShares.Memory(clock, clock.ticker(), 1_000), () -> servers, lastKnown);
    StandIn standIn =
        new StandIn(
            new StandIn.Shares(shares, lastKnown),
            new FailurePolicy(shares, () -> 2_000_000),
            clock.ticker()::read,
            observer);
    return new Fallback(breakable, standIn);
  }

  private BucketStore working(BucketStore store) {
    if (thrown) {
      throw new IllegalStateException("out of order");
    }
    return store;
  }

  @Test
  void anOutageBeginsOnceAndEndsOnceHoweverManyCallsItTakes() {
    takes(Limit.of(10, Period.DAY), 1);
    down = true;
    takes(Limit.of(10, Period.DAY), 1);
    clock.set(clock.micros() + 60_000_000);
    takes(Limit.of(10, Period.DAY), 1);
    down = false;
    takes(Limit.of(10, Period.DAY), 1);
    assertThat(seen).containsExactly("began: no answer", "stood in", "stood in");
    clock.set(clock.micros() + 1_000_000);
    takes(Limit.of(10, Period.DAY), 1);
    takes(Limit.of(10, Period.DAY), 1);
    assertThat(seen).endsWith("stood in", "ended: 60000 ms, 2").hasSize(4);
  }

  @Test
  void aStoreThatFailsNowAndThenIsOneOutage() {
    for (int i = 0; i < 100; i++) {
      down = i % 2 == 0;
      clock.set(clock.micros() + 100_000);
      takes(Limit.of(1000, Period.DAY), 1);
    }
    assertThat(seen.stream().filter(it -> !it.equals("stood in")))
        .containsExactly("began: no answer");
  }

  @Test
  void aStoreThatIsLateEveryTwentySecondsIsToldOfOnce() {
    for (int i = 0; i < 180; i++) {
      failASecondApart(1);
      succeedAfter(19);
    }
    assertThat(seen.stream().filter(it -> !it.equals("stood in")))
        .containsExactly("began: no answer", "ended: 0 ms, 1");
    failASecondApart(1);
    assertThat(seen).endsWith("stood in");
    failASecondApart(1);
    assertThat(seen).endsWith("began: no answer", "stood in");
    succeedAfter(1);
    assertThat(seen).endsWith("stood in", "ended: 1000 ms, 2");
  }

  @Test
  void aStoreThatGoesOnFailingNowAndThenIsToldOfInTheEnd() {
    failASecondApart(1);
    succeedAfter(1);
    seen.clear();
    for (int i = 0; i < 110; i++) {
      down = i % 5 == 0;
      clock.set(clock.micros() + 100_000);
      takes(Limit.of(10_000, Period.DAY), 1);
    }
    assertThat(seen.stream().filter(it -> !it.equals("stood in")))
        .containsExactly("began: no answer");
  }

  @Test
  void whatIsToldIsTheFirstCauseAndNotThatTheStoreWasLeftAloneForIt() {
    failASecondApart(1);
    succeedAfter(1);
    seen.clear();
    why = "the connection is broken";
    failASecondApart(1);
    reason = Reason.BREAKER_OPEN;
    why = "it failed too often";
    failASecondApart(1);
    assertThat(seen).contains("began: the connection is broken");
  }

  @Test
  void anOutageThatBeginsWhileTheStoreIsLeftAloneHasTheCauseOfThat() {
    why = "the connection is broken";
    failASecondApart(1);
    succeedAfter(1);
    seen.clear();
    reason = Reason.BREAKER_OPEN;
    why = "it failed too often";
    failASecondApart(2);
    assertThat(seen).contains("began: the connection is broken");
  }

  private void failASecondApart(int times) {
    down = true;
    for (int i = 0; i < times; i++) {
      clock.set(clock.micros() + 1_000_000);
      takes(Limit.of(10_000, Period.DAY), 1);
    }
  }

  private void succeedAfter(long seconds) {
    down = false;
    clock.set(clock.micros() + seconds * 1_000_000);
    takes(Limit.of(10_000, Period.DAY), 1);
  }

  @Test
  void theFirstCallThatTheStoreAnswersAgainIsDecidedByIt() {
    takes(Limit.of(2, Period.DAY), 1);
    down = true;
    assertThat(takes(Limit.of(2, Period.DAY), 1)).isTrue();
    assertThat(takes(Limit.of(2, Period.DAY), 1)).isFalse();
    down = false;
    assertThat(takes(Limit.of(2, Period.DAY), 1)).isTrue();
  }

  @Test
  void whatTheStoreSaidLastHoldsInTheOutage() {
    takes(Limit.of(3, Period.DAY), 3);
    down = true;
    assertThat(takes(Limit.of(3, Period.DAY), 1)).isFalse();
    clock.set(clock.micros() + Period.DAY.micros() / 3);
    assertThat(takes(Limit.of(3, Period.DAY), 1)).isTrue();
    assertThat(takes(Limit.of(3, Period.DAY), 1)).isFalse();
  }

  @Test
  void whatIsLeftIsSharedAmongTheServers() {
    servers = 3;
    takes(Limit.of(30, Period.DAY), 12);
    down = true;
    assertThat(takes(Limit.of(30, Period.DAY), 7)).isFalse();
    assertThat(takes(Limit.of(30, Period.DAY), 6)).isTrue();
    assertThat(takes(Limit.of(30, Period.DAY), 1)).isFalse();
  }

  @Test
  void whatWasAdmittedInOneOutageDoesNotHauntTheNext() {
    down = true;
    assertThat(takes(Limit.of(2, Period.DAY), 2)).isTrue();
    assertThat(takes(Limit.of(2, Period.DAY), 1)).isFalse();
    down = false;
    clock.set(clock.micros() + 2_000_000);
    takes(Limit.of(2, Period.DAY), 1);
    down = true;
    assertThat(takes(Limit.of(2, Period.DAY), 1)).isTrue();
    assertThat(takes(Limit.of(2, Period.DAY), 1)).isFalse();
  }

  @Test
  void aStoreThatFailsNowAndThenLetsNoMorePassThanItSaysIsLeft() {
    Limit ten = Limit.of(10, Period.DAY);
    takes(ten, 1);
    down = true;
    assertThat(takes(ten, 1)).isTrue();
    down = false;
    assertThat(takes(ten, 9)).isTrue();
    down = true;
    assertThat(takes(ten, 1)).isFalse();
  }

  @Test
  void aCallerWithoutTimeIsServedAndIsNoOutage() {
    reason = Reason.NO_TIME;
    down = true;
    assertThat(takes(Limit.of(2, Period.DAY), 1)).isTrue();
    assertThat(seen).containsExactly("stood in");
  }

  @Test
  void whatWasAdmittedForALackOfTimeCountsInTheFirstOutage() {
    down = true;
    reason = Reason.NO_TIME;
    assertThat(takes(Limit.of(2, Period.DAY), 2)).isTrue();
    reason = Reason.TIMEOUT;
    assertThat(takes(Limit.of(2, Period.DAY), 1)).isFalse();
  }

  @Test
  void aStoreThatThrowsIsStoodInForToo() {
    thrown = true;
    assertThat(takes(Limit.of(1, Period.DAY), 1)).isTrue();
    assertThat(takes(Limit.of(1, Period.DAY), 1)).isFalse();
    assertThat(seen).startsWith("began: out of order");
  }

  private boolean takes(Limit limit, long units) {
    BucketKey key = BucketKey.in("outage").entry("bucket", "k").build();
    BucketCharge charge =
        new BucketCharge(key, limit, new Charge.Take(units), BucketCharge.Veto.ALONE);
    return store.decide(List.of(charge)).toCompletableFuture().join().get(0).conforms();
  }

  /** The contract of a store, for a stack with one that can be broken. */
  abstract class Stack extends BucketStoreContract {
    private final BucketStore store = over(memory());

    @Override
    protected BucketStore store() {
      return store;
    }

    @Override
    protected void setClock(long micros) {
      clock.set(micros);
    }
  }

  @Nested
  class WhileTheStoreAnswers extends Stack {}

  @Nested
  class WhileTheStoreIsDown extends Stack {
    @BeforeEach
    void breakTheStore() {
      down = true;
    }
  }
}
