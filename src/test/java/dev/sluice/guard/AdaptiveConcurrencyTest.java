package dev.sluice.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreContract;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.bucket.Terms.Priority;
import dev.sluice.concurrency.Algorithm;
import dev.sluice.concurrency.Gate;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Verdict;
import dev.sluice.testing.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AdaptiveConcurrencyTest {
  private static final Charge TAKE = new Charge.Take(1);

  private final TestClock clock = new TestClock(1_000_000);
  private final SlowStore slow = new SlowStore();
  private final List<String> samples = new ArrayList<>();
  private final List<Priority> shed = new ArrayList<>();
  private int limit = 20;

  private final Algorithm algorithm =
      new Algorithm() {
        @Override
        public int limit() {
          return limit;
        }

        @Override
        public long baseNanos() {
          return 0;
        }

        @Override
        public void took(long nanos, int place, long nowNanos) {
          samples.add(place + ": " + nanos / 1_000);
        }

        @Override
        public void restart() {}
      };

  private final Gate gate = new Gate(algorithm);
  private final AdaptiveConcurrency store = over(slow);

  private AdaptiveConcurrency over(BucketStore below) {
    return new AdaptiveConcurrency(below, gate, clock.ticker()::read, shed::add);
  }

  private CompletableFuture<List<Verdict>> ask(Priority... priorities) {
    return store.decide(SlowStore.charges(TAKE, priorities), Deadline.NONE).toCompletableFuture();
  }

  private int letThrough(Priority priority) {
    int before = slow.waiting();
    for (int i = 0; i < 2 * limit; i++) {
      var unused = ask(priority);
    }
    return slow.waiting() - before;
  }

  @Test
  void sheddableCallsAreShedFirstAndCriticalOnesLast() {
    assertThat(letThrough(Priority.SHEDDABLE)).isEqualTo(12);
    assertThat(letThrough(Priority.DEFAULT)).isEqualTo(17 - 12);
    assertThat(letThrough(Priority.CRITICAL)).isEqualTo(20 - 17);
    assertThat(gate.underWay()).isEqualTo(20);
    assertThat(shed).hasSize(120 - 20);
  }

  @Test
  void whatIsShedFailsAtOnceAndSaysSo() {
    limit = 1;
    var unused = ask(Priority.DEFAULT);
    assertThat(SlowStore.reason(ask(Priority.CRITICAL))).isEqualTo(Reason.SHED);
    assertThat(shed).containsExactly(Priority.CRITICAL);
    slow.answer();
    assertThat(ask(Priority.SHEDDABLE)).isNotDone();
  }

  @Test
  void aGroupIsAsCriticalAsTheMostCriticalOfItsCharges() {
    limit = 10;
    letThrough(Priority.DEFAULT);
    assertThat(ask(Priority.SHEDDABLE, Priority.CRITICAL, Priority.DEFAULT)).isNotDone();
  }

  @Test
  void whatOnlyGivesUnitsBackIsShedFirst() {
    limit = 10;
    letThrough(Priority.SHEDDABLE);
    List<dev.sluice.bucket.BucketCharge> gift =
        SlowStore.charges(new Charge.Give(1), Priority.CRITICAL);
    assertThat(SlowStore.reason(store.decide(gift, Deadline.NONE))).isEqualTo(Reason.SHED);
  }

  @Test
  void aCallCountsUntilItIsAnsweredAndSaysHowLongThatTook() {
    var unused = ask(Priority.DEFAULT);
    unused = ask(Priority.DEFAULT);
    clock.set(clock.micros() + 5_000);
    slow.answer();
    clock.set(clock.micros() + 60_000_000);
    assertThat(gate.underWay()).isEqualTo(1);
    slow.fail(Reason.TIMEOUT);
    assertThat(gate.underWay()).isZero();
    assertThat(samples).containsExactly("1: 5000", "2: 60005000");
  }

  @Test
  void callsThatCouldNotBeMadeSayNothingOfTheTimeThatCallsTake() {
    for (Reason reason : List.of(Reason.UNREACHABLE, Reason.QUEUE_FULL, Reason.ERROR)) {
      CompletableFuture<List<Verdict>> answer = ask(Priority.DEFAULT);
      slow.fail(reason);
      assertThat(SlowStore.reason(answer)).isEqualTo(reason);
    }
    assertThat(gate.underWay()).isZero();
    assertThat(samples).isEmpty();
  }

  @Test
  void aStoreThatThrowsKeepsNoPermit() {
    BucketStore broken =
        over(
            (charges, deadline) -> {
              throw new IllegalStateException("broken");
            });
    assertThatThrownBy(() -> broken.decide(List.of())).hasMessage("broken");
    assertThat(gate.underWay()).isZero();
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
