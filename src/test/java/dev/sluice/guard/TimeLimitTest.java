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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TimeLimitTest {
  private static final long MILLI = 1_000_000;

  private final TestClock clock = new TestClock(1_000_000);
  private final SlowStore slow = new SlowStore();
  private final ManualAlarm alarm = new ManualAlarm();
  private final AtomicInteger late = new AtomicInteger();
  private final TimeLimit store = over(slow);

  private TimeLimit over(BucketStore below) {
    return new TimeLimit(
        below, Duration.ofMillis(8), alarm, clock.ticker()::read, late::incrementAndGet);
  }

  private CompletableFuture<List<Verdict>> ask(Deadline deadline) {
    return store
        .decide(SlowStore.charges(new Charge.Take(1), Priority.DEFAULT), deadline)
        .toCompletableFuture();
  }

  @Test
  void anAnswerInTimeTurnsTheAlarmOff() {
    CompletableFuture<List<Verdict>> answer = ask(Deadline.NONE);
    assertThat(alarm.set).containsExactly(8 * MILLI);
    slow.answer();
    assertThat(answer).isCompletedWithValue(List.of());
    assertThat(alarm.pending()).isZero();
    assertThat(late).hasValue(0);
  }

  @Test
  void whenTheTimeIsUpTheCallerIsToldAndTheLateAnswerIsDropped() {
    CompletableFuture<List<Verdict>> answer = ask(Deadline.NONE);
    alarm.ring();
    assertThat(SlowStore.reason(answer)).isEqualTo(Reason.TIMEOUT);
    assertThat(slow.waiting()).isEqualTo(1);
    slow.answer();
    assertThat(answer).isCompletedExceptionally();
    assertThat(late).hasValue(1);
  }

  @Test
  void aLateFailureIsNoLateAnswer() {
    CompletableFuture<List<Verdict>> answer = ask(Deadline.NONE);
    alarm.ring();
    slow.fail(Reason.UNREACHABLE);
    assertThat(SlowStore.reason(answer)).isEqualTo(Reason.TIMEOUT);
    assertThat(late).hasValue(0);
  }

  @Test
  void aFailureBelowIsPassedOn() {
    CompletableFuture<List<Verdict>> answer = ask(Deadline.NONE);
    slow.fail(Reason.QUEUE_FULL);
    assertThat(SlowStore.reason(answer)).isEqualTo(Reason.QUEUE_FULL);
    assertThat(alarm.pending()).isZero();
  }

  @Test
  void aCallerInAHurryIsToldTwoMillisecondsBeforeItsDeadlineEvenIfTheAlarmRingsLate() {
    CompletableFuture<List<Verdict>> answer = ask(in(7 * MILLI));
    assertThat(alarm.set).containsExactly(7 * MILLI - 2 * MILLI - TimeLimit.TICK.toNanos());
    alarm.ring();
    assertThat(SlowStore.reason(answer)).isEqualTo(Reason.NO_TIME);
  }

  @Test
  void aCallerWithoutTimeIsToldAtOnceAndTheStoreIsNotAsked() {
    assertThat(SlowStore.reason(ask(in(3 * MILLI - 1)))).isEqualTo(Reason.NO_TIME);
    assertThat(SlowStore.reason(ask(in(-MILLI)))).isEqualTo(Reason.NO_TIME);
    assertThat(SlowStore.reason(ask(new Deadline(Long.MIN_VALUE)))).isEqualTo(Reason.NO_TIME);
    assertThat(slow.waiting()).isZero();
    var unused = ask(in(3 * MILLI));
    assertThat(slow.waiting()).isEqualTo(1);
  }

  @Test
  void theStoreIsToldWhenNobodyListensAnyMore() {
    var unused = ask(Deadline.NONE);
    unused = ask(in(100 * MILLI));
    unused = ask(in(5 * MILLI));
    assertThat(slow.deadlines).containsExactly(in(8 * MILLI), in(8 * MILLI), in(3 * MILLI));
  }

  private Deadline in(long nanos) {
    return new Deadline(clock.ticker().read() + nanos);
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
