package dev.sluice.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bucket.BatchStore;
import dev.sluice.bucket.BatchStore.Outcome;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.limit.Balance;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchingTest {
  private static final Limit LIMIT = Limit.of(10, Period.SECOND);
  private static final Verdict DECIDED =
      new Verdict.Allowed(1, Balance.of(LIMIT, LIMIT.capacity()));

  private final Held store = new Held();
  private long now = 1_000;

  /** A store whose calls end when the test says so. */
  private static final class Held implements BatchStore {
    final List<List<List<BucketCharge>>> calls = new ArrayList<>();
    final List<CompletableFuture<List<Outcome>>> answers = new ArrayList<>();

    @Override
    public CompletionStage<List<Outcome>> decideAll(List<List<BucketCharge>> groups) {
      calls.add(groups);
      answers.add(new CompletableFuture<>());
      return answers.get(answers.size() - 1);
    }

    void end(int call) {
      answers.get(call).complete(verdicts(calls.get(call)));
    }

    /** How many requests went with each call. */
    List<Integer> sizes() {
      return calls.stream().map(List::size).toList();
    }
  }

  private static List<Outcome> verdicts(List<List<BucketCharge>> groups) {
    return groups.stream().map(BatchingTest::decided).toList();
  }

  private static Outcome decided(List<BucketCharge> group) {
    return new Outcome.Decided(group.stream().map(charge -> DECIDED).toList());
  }

  @Test
  void aRequestGoesAtOnceWhileFewAreUnderWay() {
    Batching batching = batching(3, 100, 100);
    ask(batching, 3);
    assertThat(store.sizes()).containsExactly(1, 1, 1);
  }

  @Test
  void whatWaitsGoesTogetherWithTheNextCallInTheOrderThatItCame() {
    Batching batching = batching(2, 100, 100);
    List<CompletableFuture<List<Verdict>>> answers = ask(batching, 10);
    assertThat(store.sizes()).containsExactly(1, 1);
    store.end(1);
    assertThat(store.sizes()).containsExactly(1, 1, 8);
    assertThat(store.calls.get(2)).containsExactlyElementsOf(requests(2, 10));
    assertThat(answers).filteredOn(CompletableFuture::isDone).containsExactly(answers.get(1));
    store.end(2);
    store.end(0);
    assertThat(answers).allSatisfy(it -> assertThat(it).isCompletedWithValue(List.of(DECIDED)));
    ask(batching, 1);
    assertThat(store.sizes()).containsExactly(1, 1, 8, 1);
  }

  @Test
  void aCallHasNoMoreChargesThanItMay() {
    Batching batching = batching(1, 4, 100);
    ask(batching, 1);
    List<Integer> sizes = List.of(2, 1, 1, 3, 2, 9, 1);
    for (int size : sizes) {
      var unused = ask(batching, request(size, 0));
    }
    for (int i = 0; i < 6; i++) {
      store.end(i);
    }
    assertThat(store.calls.stream().map(call -> call.stream().map(List::size).toList()))
        .containsExactly(
            List.of(1), List.of(2, 1, 1), List.of(3), List.of(2), List.of(9), List.of(1));
  }

  @Test
  void aRequestWhoseTimeIsUpIsNotSent() {
    Batching batching = batching(1, 100, 100);
    ask(batching, 1);
    CompletableFuture<List<Verdict>> early =
        batching.decide(request(1, 1), new Deadline(2_000)).toCompletableFuture();
    CompletableFuture<List<Verdict>> late =
        batching.decide(request(1, 2), new Deadline(2_001)).toCompletableFuture();
    now = 2_000;
    store.end(0);
    assertThat(reason(early)).isEqualTo(Reason.WAITED);
    assertThat(store.calls.get(1)).containsExactly(request(1, 2));
    store.end(1);
    assertThat(late).isCompletedWithValue(List.of(DECIDED));
  }

  @Test
  void aCallWithoutAnybodyIsNotMade() {
    Batching batching = batching(1, 100, 100);
    ask(batching, 1);
    var unused = batching.decide(request(1, 1), new Deadline(1_001));
    now = 2_000;
    store.end(0);
    assertThat(store.calls).hasSize(1);
    ask(batching, 1);
    assertThat(store.calls).hasSize(2);
  }

  @Test
  void aCallThatFailsDoesSoForThoseWhoWentWithIt() {
    Batching batching = batching(1, 2, 100);
    List<CompletableFuture<List<Verdict>>> answers = ask(batching, 5);
    store.end(0);
    store.answers.get(1).completeExceptionally(new BucketStoreException(Reason.ERROR, "no"));
    store.end(2);
    assertThat(answers.get(0)).isCompletedWithValue(List.of(DECIDED));
    assertThat(reason(answers.get(1))).isEqualTo(Reason.ERROR);
    assertThat(reason(answers.get(2))).isEqualTo(Reason.ERROR);
    assertThat(answers.get(3)).isCompletedWithValue(List.of(DECIDED));
    assertThat(answers.get(4)).isCompletedWithValue(List.of(DECIDED));
  }

  @Test
  void aGroupThatFailsAloneDoesSoForItsRequestOnly() {
    Batching batching = batching(1, 3, 100);
    List<CompletableFuture<List<Verdict>>> answers = ask(batching, 4);
    store.end(0);
    Outcome good = decided(request(1, 0));
    Outcome bad = new Outcome.Failed(new BucketStoreException(Reason.ERROR, "not this one"));
    store.answers.get(1).complete(List.of(good, bad, good));
    assertThat(answers.get(1)).isCompletedWithValue(List.of(DECIDED));
    assertThat(reason(answers.get(2))).isEqualTo(Reason.ERROR);
    assertThat(answers.get(3)).isCompletedWithValue(List.of(DECIDED));
  }

  @Test
  void aStoreThatThrowsOrSaysTooLittleLeavesNobodyWaiting() {
    Batching batching =
        new Batching(
            groups -> {
              if (groups.get(0).equals(request(1, 0))) {
                throw new IllegalStateException("broken");
              }
              return CompletableFuture.completedFuture(List.of());
            },
            new Batching.Bounds(1, 1, 1),
            () -> now);
    assertThat(ask(batching, 2)).allMatch(CompletableFuture::isCompletedExceptionally);
    assertThat(ask(batching, 2)).allMatch(CompletableFuture::isCompletedExceptionally);
  }

  @Test
  void noMoreWaitThanMay() {
    Batching batching = batching(1, 100, 3);
    List<CompletableFuture<List<Verdict>>> answers = ask(batching, 6);
    assertThat(reason(answers.get(4))).isEqualTo(Reason.QUEUE_FULL);
    assertThat(reason(answers.get(5))).isEqualTo(Reason.QUEUE_FULL);
    store.end(0);
    assertThat(store.sizes()).containsExactly(1, 3);
    assertThat(ask(batching, 3)).noneMatch(CompletableFuture::isDone);
  }

  @Test
  void boundsAreAtLeastOne() {
    assertThatThrownBy(() -> new Batching.Bounds(1, 0, 1))
        .hasMessage("1 calls, 0 charges, 1 waiting (expected at least 1 of each)");
  }

  /** A stack that grew with what waits would overflow. */
  @Test
  void aStoreThatAnswersAtOnceMayDoSoForAnyNumberOfCalls() {
    CompletableFuture<List<Outcome>> first = new CompletableFuture<>();
    AtomicInteger calls = new AtomicInteger();
    BatchStore atOnce =
        groups ->
            calls.getAndIncrement() == 0
                ? first
                : CompletableFuture.completedFuture(verdicts(groups));
    Batching batching = new Batching(atOnce, new Batching.Bounds(1, 1, 200_000), () -> now);
    List<CompletableFuture<List<Verdict>>> answers = ask(batching, 100_000);
    first.complete(verdicts(List.of(request(1, 0))));
    assertThat(answers).allMatch(it -> it.isDone() && !it.isCompletedExceptionally());
    assertThat(calls).hasValue(100_000);
  }

  private Batching batching(int calls, int charges, int waiting) {
    return new Batching(store, new Batching.Bounds(calls, charges, waiting), () -> now);
  }

  private static List<CompletableFuture<List<Verdict>>> ask(Batching batching, int times) {
    return requests(0, times).stream().map(request -> ask(batching, request)).toList();
  }

  private static CompletableFuture<List<Verdict>> ask(
      Batching batching, List<BucketCharge> request) {
    return batching.decide(request).toCompletableFuture();
  }

  private static List<List<BucketCharge>> requests(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> request(1, i)).toList();
  }

  private static List<BucketCharge> request(int charges, int number) {
    return IntStream.range(0, charges)
        .mapToObj(
            i ->
                new BucketCharge(
                    BucketKey.in("batching").entry("b", number + "." + i).build(),
                    LIMIT,
                    new Charge.Take(1),
                    BucketCharge.Veto.ALONE))
        .toList();
  }

  private static Reason reason(CompletableFuture<List<Verdict>> answer) {
    assertThat(answer).isCompletedExceptionally();
    Throwable error = answer.handle((verdicts, it) -> it).join();
    assertThat(error).isInstanceOf(BucketStoreException.class);
    return ((BucketStoreException) error).reason();
  }
}
