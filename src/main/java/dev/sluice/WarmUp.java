package dev.sluice;

import dev.sluice.load.Answers;
import dev.sluice.load.ClosedLoop;
import dev.sluice.settings.ProcessCatalogue;
import dev.sluice.settings.Settings;
import dev.sluice.transport.EventLoops;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls that a process makes to itself before anybody else does, so that the Java machine has read
 * and compiled what a call needs. They go through sockets and every layer, Redis included, to a
 * {@link Rehearsal}. It ends after a number of calls or when its time is up, whichever comes first.
 */
final class WarmUp implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
  private static final Duration LONGEST = Duration.ofSeconds(1);
  private static final int CALLS = 6_000;
  private static final ClosedLoop.Shape SHAPE = new ClosedLoop.Shape(2, 8);
  private static final Map<String, String> WITHOUT_REDIS =
      Map.of("REDIS_URL", "", "REDIS_TYPE", "SINGLE", "REDIS_PERSECOND", "false");

  private final Settings settings;
  private final EventLoops loops;

  /** Makes and closes what the calls need; both may block. */
  private final ExecutorService aside =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-warm-up");
            thread.setDaemon(true);
            return thread;
          });

  private final CompletableFuture<Void> end = new CompletableFuture<>();

  /** A warm-up that has not begun, of a server with these settings and loops. */
  WarmUp(Settings settings, EventLoops loops) {
    this.settings = settings;
    this.loops = loops;
  }

  /**
   * Begins, if the settings want it. The stage completes, always well, once the machine is warm or
   * the time is up.
   *
   * @param redis whether Redis can be reached; without it, the rest is warmed
   */
  CompletionStage<Void> run(boolean redis) {
    if (!settings.get(ProcessCatalogue.WARM_UP)) {
      end.complete(null);
      return end;
    }
    end.completeOnTimeout(null, LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    var unused =
        CompletableFuture.supplyAsync(() -> rehearsal(redis), aside)
            .thenCompose(this::call)
            .exceptionally(this::failed);
    return end.thenRunAsync(WarmUp::tidy);
  }

  /**
   * Makes everything old that the start has left: the collections while the first calls come would
   * copy it, which takes them longer than Envoy waits.
   */
  private static void tidy() {
    System.gc();
  }

  private Rehearsal rehearsal(boolean redis) {
    return new Rehearsal(redis ? settings : settings.with(WITHOUT_REDIS), loops);
  }

  private CompletionStage<Void> call(Rehearsal rehearsal) {
    ClosedLoop load =
        new ClosedLoop(SHAPE, new WarmUpMessages(Rehearsal.DOMAIN), new UntilEnough());
    var unused =
        end.thenRunAsync(
            () -> {
              load.stop();
              rehearsal.close();
              load.close();
            },
            aside);
    return rehearsal.tried().thenCompose(it -> load.begin(rehearsal.target(), loops));
  }

  private @Nullable Void failed(Throwable error) {
    Throwable cause = error.getCause() == null ? error : error.getCause();
    if (end.complete(null)) {
      LOG.warn("The warm-up failed, so the first calls will be slow: {}", cause.getMessage());
    }
    return null;
  }

  /** Gives up, if it has not come to its end, and closes what it needed. */
  @Override
  public void close() {
    end.complete(null);
    aside.shutdown();
    try {
      var unused = aside.awaitTermination(2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Counts answers. */
  private final class UntilEnough implements Answers {
    private final AtomicInteger answered = new AtomicInteger();

    @Override
    public void answered(long nanos, ByteBuf message) {
      if (answered.incrementAndGet() == CALLS) {
        end.complete(null);
      }
    }

    @Override
    public void failed(String reason) {
      var unused = WarmUp.this.failed(new IllegalStateException(reason));
    }
  }
}
