package dev.sluice.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limit.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PendingTest {
  private static final class Answer extends Pending {}

  private final Pending pending = new Answer();
  private final List<String> told = new ArrayList<>();

  private CompletionStage<List<Verdict>> witness(String name) {
    return Pending.witnessed(
        pending,
        (verdicts, error) -> {
          assertThat(pending).isNotDone();
          told.add(name + (error == null ? "" : " " + error.getMessage()));
        });
  }

  @Test
  void witnessesAreToldInTheirOrderAndBeforeEverybodyElse() {
    var unused = pending.thenRun(() -> told.add("caller"));
    assertThat(witness("first")).isSameAs(pending);
    assertThat(witness("second")).isSameAs(pending);
    assertThat(pending.complete(List.of())).isTrue();
    assertThat(told).containsExactly("first", "second", "caller");
    assertThat(pending).isCompletedWithValue(List.of());
  }

  @Test
  void aFailureIsToldToo() {
    var unused = witness("first");
    assertThat(pending.completeExceptionally(new IllegalStateException("broken"))).isTrue();
    assertThat(told).containsExactly("first broken");
    assertThat(pending).isCompletedExceptionally();
  }

  @Test
  void onlyTheFirstEndCounts() {
    var unused = witness("first");
    assertThat(pending.complete(List.of())).isTrue();
    assertThat(pending.complete(List.of())).isFalse();
    assertThat(pending.completeExceptionally(new IllegalStateException("late"))).isFalse();
    assertThat(told).containsExactly("first");
    assertThat(pending).isCompletedWithValue(List.of());
  }

  @Test
  void aWitnessThatFailsIsAFailureToThoseAfterItUnlessThereWasOneAlready() {
    CompletionStage<List<Verdict>> failing =
        Pending.witnessed(
            pending,
            (verdicts, error) -> {
              throw new IllegalStateException("witness");
            });
    var unused = witness("second");
    pending.complete(List.of());
    assertThat(told).containsExactly("second witness");
    assertThat(failing).isCompletedExceptionally();

    Pending failed = new Answer();
    var ignored =
        Pending.witnessed(
            failed,
            (verdicts, error) -> {
              throw new IllegalStateException("witness");
            });
    failed.completeExceptionally(new IllegalStateException("own"));
    assertThat(failed.handle((verdicts, error) -> error.getMessage())).isCompletedWithValue("own");
  }

  @Test
  void whoComesAfterTheEndIsToldAtOnceAndSoIsTheWitnessOfAnyOtherStage() {
    pending.complete(List.of());
    var late = Pending.witnessed(pending, (verdicts, error) -> told.add("late"));
    var other =
        Pending.witnessed(
            CompletableFuture.completedFuture(List.of()), (verdicts, error) -> told.add("other"));
    assertThat(told).containsExactly("late", "other");
    assertThat(late.toCompletableFuture()).isCompletedWithValue(List.of());
    assertThat(other.toCompletableFuture()).isCompletedWithValue(List.of());
    CompletableFuture<List<Verdict>> failing =
        Pending.witnessed(
                pending,
                (verdicts, error) -> {
                  throw new IllegalStateException("witness");
                })
            .toCompletableFuture();
    assertThat(failing.handle((verdicts, error) -> error))
        .isCompletedWithValueMatching(error -> error instanceof CompletionException);
  }

  /** Witnesses come while the end does; each is told once, and sees no stage that is done. */
  @Test
  void noWitnessIsForgottenWheneverTheEndComes() throws Exception {
    for (int round = 0; round < 2_000; round++) {
      Pending race = new Answer();
      AtomicInteger seen = new AtomicInteger();
      CyclicBarrier start = new CyclicBarrier(2);
      Thread ending =
          new Thread(
              () -> {
                passed(start);
                race.complete(List.of());
              });
      ending.start();
      passed(start);
      CompletionStage<List<Verdict>> stage = race;
      for (int i = 0; i < 5; i++) {
        stage = Pending.witnessed(stage, (verdicts, error) -> seen.incrementAndGet());
      }
      assertThat(stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join()).isEmpty();
      assertThat(seen).hasValue(5);
      ending.join();
    }
  }

  private static void passed(CyclicBarrier barrier) {
    try {
      barrier.await(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
