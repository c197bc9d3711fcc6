package dev.sluice.xds;

import dev.sluice.proto.discovery.DiscoveryResponse;
import dev.sluice.rulefile.RulesInForce;
import dev.sluice.transport.EventLoops;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the rules in force up to date with a control plane. Whatever happens to the stream, what is
 * in force stays until something else is taken.
 *
 * <p>A refusal is told at once; if the next set is bad too, it waits, since many control planes
 * answer a refusal with the same set.
 *
 * <p>Everything happens in one thread of its own. Source: the xDS protocol, and gRPC proposal A46
 * for sets of which a part is good.
 */
public final class RuleSubscription implements AutoCloseable {
  /** A control plane that sends nothing new waits for an answer before it sends what is mended. */
  private static final Waits REFUSALS =
      new Waits(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(10), 0.25);

  private static final long SECONDS_TO_END = 2;

  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, RuleSubscription::thread);
  private final ControlPlane controlPlane;
  private final EventLoops loops;
  private final ControlPlaneObserver observer;
  private final Updates updates;
  private final Backoff attempts;
  private final Backoff refusals;
  private final Duration longestWait;
  private final CountDownLatch ended = new CountDownLatch(1);
  private @Nullable RuleStream stream;
  private boolean over;

  /**
   * A subscription that has not begun.
   *
   * @param waits before a stream that ended is opened again
   * @param loops what its connections are served by; it does not own them
   * @param rules where sets are offered
   */
  public RuleSubscription(
      ControlPlane controlPlane,
      Waits waits,
      EventLoops loops,
      RulesInForce rules,
      ControlPlaneObserver observer) {
    this.controlPlane = controlPlane;
    this.loops = loops;
    this.observer = observer;
    updates = new Updates(controlPlane.address(), rules);
    attempts = new Backoff(waits, RuleSubscription::random);
    refusals = new Backoff(REFUSALS, RuleSubscription::random);
    longestWait = waits.most();
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Begins to ask, and does not wait for an answer. */
  public void start() {
    execute(this::open);
  }

  private void open() {
    if (over) {
      return;
    }
    Attempt attempt = new Attempt();
    try {
      stream =
          new RuleStream(controlPlane.channel(loops, this::execute), controlPlane.self(), attempt);
    } catch (RuntimeException e) {
      attempt.ended(Status.UNAVAILABLE.withDescription(e.getMessage()));
    }
  }

  /** What happens to one stream. */
  private final class Attempt implements RuleStream.Listener {
    private static final int OVER = -1;

    private final long begun = System.nanoTime();
    private int received;

    @Override
    public void connected() {
      observer.connected();
    }

    @Override
    public void received(DiscoveryResponse response) {
      attempts.reset();
      observer.answered();
      int number = ++received;
      Optional<String> fault = updates.take(response);
      if (fault.isEmpty()) {
        refusals.reset();
        answer(number, response, fault);
      } else {
        after(refusals.next(), () -> answer(number, response, fault));
      }
    }

    /** Answers a response, unless a later one came meanwhile, or the stream is over. */
    private void answer(int number, DiscoveryResponse response, Optional<String> fault) {
      if (stream == null || number != received) {
        return;
      }
      stream.answer(response, fault);
      if (fault.isPresent()) {
        observer.refused();
      } else {
        observer.accepted();
      }
    }

    @Override
    public void ended(Status status) {
      stream = null;
      received = OVER;
      if (System.nanoTime() - begun > longestWait.toNanos()) {
        attempts.reset();
      }
      observer.lost(reason(status));
      after(attempts.next(), RuleSubscription.this::open);
    }
  }

  /** The status, and what lies behind it: gRPC says "io exception" of whatever keeps it away. */
  private static String reason(Status status) {
    StringBuilder reason = new StringBuilder(status.getCode().name());
    if (status.getDescription() != null) {
      reason.append(": ").append(status.getDescription());
    }
    if (status.getCause() != null) {
      reason.append(" (").append(status.getCause().getMessage()).append(')');
    }
    return reason.toString().replaceAll("\\s+", " ");
  }

  private void execute(Runnable task) {
    try {
      thread.execute(task);
    } catch (RejectedExecutionException closed) {
      // What a stream has to say after the end is of no interest.
      return;
    }
  }

  private void after(Duration wait, Runnable task) {
    if (wait.isZero()) {
      task.run();
      return;
    }
    try {
      var unused = thread.schedule(task, wait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      return;
    }
  }

  /** Ends the stream, and waits for what it still has to say, so that its buffers are let go. */
  private void end() {
    over = true;
    if (stream == null) {
      ended.countDown();
    } else {
      stream.cancel(ended::countDown);
    }
  }

  private static double random() {
    return ThreadLocalRandom.current().nextDouble();
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "sluice-xds");
    thread.setDaemon(true);
    return thread;
  }

  /** Stops asking. A set that is being read is taken first. */
  @Override
  public void close() {
    execute(this::end);
    try {
      var unused = ended.await(SECONDS_TO_END, TimeUnit.SECONDS);
      thread.shutdown();
      unused = thread.awaitTermination(SECONDS_TO_END, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
