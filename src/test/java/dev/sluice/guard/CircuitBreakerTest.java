package dev.sluice.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreContract;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.bucket.Terms.Priority;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Verdict;
import dev.sluice.testing.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
  private static final long LONGEST_MICROS = CircuitBreaker.LONGEST.toNanos() / 1_000;

  private final TestClock clock = new TestClock(1_000_000);
  private final SlowStore slow = new SlowStore();
  private final List<String> turns = new ArrayList<>();
  private final CircuitBreaker store = over(slow);

  private CircuitBreaker over(BucketStore below) {
    BreakerObserver observer =
        new BreakerObserver() {
          @Override
          public void opened() {
            turns.add("opened");
          }

          @Override
          public void closed() {
            turns.add("closed");
          }
        };
    return new CircuitBreaker(below, clock.ticker()::read, new SplittableRandom(5), observer);
  }

  private CompletableFuture<List<Verdict>> ask() {
    return store
        .decide(SlowStore.charges(new Charge.Take(1), Priority.DEFAULT), Deadline.NONE)
        .toCompletableFuture();
  }

  private void fail(int times, Reason reason) {
    for (int i = 0; i < times; i++) {
      var unused = ask();
      slow.fail(reason);
    }
  }

  private void answer(int times) {
    for (int i = 0; i < times; i++) {
      var unused = ask();
      slow.answer();
    }
  }

  private void pass(long micros) {
    clock.set(clock.micros() + micros);
  }

  private boolean isOpen() {
    int before = slow.waiting();
    CompletableFuture<List<Verdict>> answer = ask();
    return slow.waiting() == before && SlowStore.reason(answer) == Reason.BREAKER_OPEN;
  }

  @Test
  void tenFailuresInARowOpenItAndNineDoNot() {
    fail(9, Reason.TIMEOUT);
    answer(1);
    fail(9, Reason.UNREACHABLE);
    assertThat(turns).isEmpty();
    fail(1, Reason.TIMEOUT);
    assertThat(turns).containsExactly("opened");
    assertThat(isOpen()).isTrue();
  }

  @Test
  void halfOfTwentyCallsOfASecondOpenIt() {
    for (int i = 0; i < 9; i++) {
      fail(1, Reason.TIMEOUT);
      answer(1);
    }
    answer(1);
    assertThat(turns).isEmpty();
    fail(1, Reason.TIMEOUT);
    assertThat(turns).containsExactly("opened");
  }

  @Test
  void failuresOfTwoSecondsDoNotAddUp() {
    for (int i = 0; i < 100; i++) {
      fail(1, Reason.TIMEOUT);
      answer(1);
      pass(100_000);
    }
    assertThat(turns).isEmpty();
  }

  @Test
  void whatSaysNothingOfTheStoreNeverOpensIt() {
    for (Reason reason :
        List.of(Reason.SHED, Reason.NO_TIME, Reason.WAITED, Reason.QUEUE_FULL, Reason.ERROR)) {
      fail(200, reason);
    }
    assertThat(turns).isEmpty();
  }

  @Test
  void afterAWhileItIsTriedByThreeAtATimeAndFiveAnswersCloseIt() {
    fail(10, Reason.TIMEOUT);
    pass(LONGEST_MICROS);
    for (int i = 0; i < 5; i++) {
      var unused = ask();
    }
    assertThat(slow.waiting()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      slow.answer();
    }
    answer(1);
    assertThat(turns).containsExactly("opened");
    answer(1);
    assertThat(turns).containsExactly("opened", "closed");
    for (int i = 0; i < 5; i++) {
      var unused = ask();
    }
    assertThat(slow.waiting()).isEqualTo(5);
  }

  @Test
  void aFailureOfATrialOpensItAgainAndIsNotToldTwice() {
    fail(10, Reason.TIMEOUT);
    for (int i = 0; i < 20; i++) {
      pass(LONGEST_MICROS);
      answer(4);
      fail(1, Reason.TIMEOUT);
    }
    assertThat(turns).containsExactly("opened");
    assertThat(slow.waiting()).isZero();
  }

  @Test
  void aTrialThatIsShedMakesRoomForAnother() {
    fail(10, Reason.TIMEOUT);
    pass(LONGEST_MICROS);
    fail(50, Reason.SHED);
    answer(5);
    assertThat(turns).containsExactly("opened", "closed");
  }

  @Test
  void callsFromBeforeItOpenedNeitherCloseItNorOpenItAgain() {
    List<CompletableFuture<List<Verdict>>> old = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      old.add(ask());
    }
    for (int i = 0; i < 10; i++) {
      slow.fail(Reason.TIMEOUT);
    }
    pass(LONGEST_MICROS);
    for (int i = 0; i < 10; i++) {
      slow.answer();
    }
    assertThat(turns).containsExactly("opened");
    var unused = ask();
    for (int i = 0; i < 10; i++) {
      slow.fail(Reason.TIMEOUT);
    }
    slow.answer();
    answer(4);
    assertThat(turns).containsExactly("opened", "closed");
    assertThat(old).allMatch(CompletableFuture::isDone);
  }

  @Test
  void whoHearsThatTheStoreIsThereAgainLetsItBeTriedAtOnce() {
    fail(10, Reason.UNREACHABLE);
    for (int i = 0; i < 10; i++) {
      assertThat(isOpen()).isTrue();
      store.tryNow();
      fail(1, Reason.TIMEOUT);
    }
    assertThat(isOpen()).isTrue();
    store.tryNow();
    for (int i = 0; i < 5; i++) {
      var unused = ask();
    }
    assertThat(slow.waiting()).isEqualTo(3);
    store.tryNow();
    assertThat(isOpen()).isTrue();
    answer(5);
    store.tryNow();
    assertThat(turns).containsExactly("opened", "closed");
  }

  @Test
  void itIsNeverLeftAloneForLongerThanHalfASecond() {
    fail(10, Reason.TIMEOUT);
    for (int i = 0; i < 200; i++) {
      pass(LONGEST_MICROS);
      assertThat(isOpen()).as("round %d", i).isFalse();
      slow.fail(Reason.TIMEOUT);
    }
  }

  @Nested
  class AsAStore extends BucketStoreContract {
    private final BucketStore store = over(new InMemoryBucketStore(clock, clock.ticker(), 1_000));

    @Override
    protected BucketStore store() {
      return store;
    }

    @Override
    protected void setClock(long micros) {
      clock.set(micros);
    }
  }
}
