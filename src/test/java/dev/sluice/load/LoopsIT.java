package dev.sluice.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.transport.EventLoops;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Load that waits for the server, and load that does not. */
final class LoopsIT {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final byte[] HELD = {-1};

  private final EventLoops loops = new EventLoops(1);
  private final EchoServer server = new EchoServer(Integer.MAX_VALUE);
  private final Recorded answers = new Recorded();

  @AfterEach
  void stop() {
    server.close();
    loops.close();
  }

  @Test
  void openLoopDoesNotWaitForAnswersAndChargesWhatWasDueMeanwhile() {
    OpenLoop.Shape shape = new OpenLoop.Shape(2, 1_000, 200);
    try (OpenLoop load = new OpenLoop(shape, () -> HELD, answers)) {
      CompletionStage<Void> end = load.run(server.target(), loops);
      await().atMost(LONG).until(() -> server.held() == 200);
      assertThat(answers.nanos).isEmpty();
      server.release();
      end.toCompletableFuture().join();
    }
    assertThat(answers.nanos).hasSize(200);
    // The first was due 199 ms before the last, and both were answered after that.
    assertThat(answers.nanos.stream().max(Long::compare).orElse(0L))
        .isGreaterThanOrEqualTo(Duration.ofMillis(199).toNanos());
  }

  @Test
  void closedLoopKeepsSoManyCallsUnderWay() {
    try (ClosedLoop load = new ClosedLoop(new ClosedLoop.Shape(2, 3), () -> HELD, answers)) {
      load.begin(server.target(), loops).toCompletableFuture().join();
      await().atMost(LONG).until(() -> server.held() == 6);
      assertThat(server.headers()).hasSize(6);
    }
  }

  @Test
  void closedLoopGoesOnUntilItIsStopped() {
    try (ClosedLoop load =
        new ClosedLoop(new ClosedLoop.Shape(1, 4), () -> new byte[] {1}, answers)) {
      load.begin(server.target(), loops).toCompletableFuture().join();
      await().atMost(LONG).until(() -> answers.nanos.size() > 100);
      load.stop();
      await().atMost(LONG).until(() -> answers.nanos.size() == server.headers().size());
    }
    assertThat(answers.failures).isEmpty();
  }

  @Test
  void shapesThatMeanNothingAreRefused() {
    assertThatThrownBy(() -> new ClosedLoop.Shape(0, 1)).hasMessageContaining("0 connections");
    assertThatThrownBy(() -> new OpenLoop.Shape(1, 0, 1))
        .hasMessageContaining("0 calls per second");
    assertThatThrownBy(() -> new OpenLoop.Shape(1, 1, 0)).hasMessageContaining("0 calls by");
  }

  /** What came of calls. */
  private static final class Recorded implements Answers {
    private final List<Long> nanos = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();

    @Override
    public void answered(long took, ByteBuf message) {
      nanos.add(took);
    }

    @Override
    public void failed(String reason) {
      failures.add(reason);
    }
  }
}
