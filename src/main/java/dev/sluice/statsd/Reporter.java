package dev.sluice.statsd;

import dev.sluice.transport.EventLoops;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what was counted, at intervals. While nobody takes it, it is dropped: what is counted
 * meanwhile is never sent later, where it would look as if it had just happened.
 *
 * <p>Everything happens in one thread of its own, which waits for the network where it has to. At
 * any time there is one packet under way.
 */
public final class Reporter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
  private static final long SECONDS_TO_END = 2;

  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, Reporter::thread);
  private final Stats stats;
  private final Format format;
  private final Target target;
  private final Link link;
  private final ReporterObserver observer;
  private Said said;

  /** What the log has been told last. */
  private enum Said {
    NOTHING,
    NOT_EXPECTED,
    REACHED,
    LOST
  }

  /**
   * Where figures go, and how.
   *
   * @param expected whether somebody said that there is somebody: else nobody is missed
   */
  public record Sink(Target target, Format format, boolean expected) {}

  /**
   * A reporter that has not begun.
   *
   * @param loops that serve its connection; it does not own them
   */
  public Reporter(Stats stats, Sink sink, EventLoops loops, ReporterObserver observer) {
    this.stats = stats;
    this.observer = observer;
    format = sink.format();
    target = sink.target();
    link = new Link(loops, target);
    said = sink.expected() ? Said.NOTHING : Said.NOT_EXPECTED;
  }

  /** Begins, with what is counted from now on. */
  public void start(Duration interval) {
    var unused =
        thread.scheduleWithFixedDelay(
            this::flush, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Never throws: that would be the last flush. */
  private void flush() {
    try {
      Lines lines = new Lines(format, opened() ? link : null);
      stats.tell(lines);
      lines.end();
      observer.flushed(lines.sent(), lines.dropped());
      ended(lines.failure());
    } catch (RuntimeException | VirtualMachineError e) {
      LOG.error("What was counted could not be sent", e);
    }
  }

  /** A datagram that nobody took says nothing of the next one. */
  private void ended(@Nullable IOException failure) {
    if (target.protocol() == Target.Protocol.UDP) {
      link.close();
    } else if (failure != null) {
      link.close();
      lost(failure);
    }
  }

  /** Whether the way is open. One of datagrams is opened each time, since its end is not seen. */
  private boolean opened() {
    boolean datagrams = target.protocol() == Target.Protocol.UDP;
    boolean lasts = !datagrams && link.isOpen();
    try {
      if (!lasts) {
        link.open();
      }
    } catch (IOException e) {
      lost(e);
      return false;
    }
    reached(lasts || datagrams);
    return true;
  }

  /**
   * Somebody takes lines.
   *
   * @param lasts whether that was so at the last flush already; who comes and goes is told of once
   */
  private void reached(boolean lasts) {
    if (said == Said.REACHED || (said == Said.LOST && !lasts)) {
      return;
    }
    said = Said.REACHED;
    LOG.info("Metrics go to statsd at {}.", target);
  }

  private void lost(IOException cause) {
    if (said == Said.NOTHING || said == Said.REACHED) {
      said = Said.LOST;
      LOG.info(
          "No metrics go to statsd at {}, until it takes them: {}.", target, cause.getMessage());
    }
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "sluice-statsd");
    thread.setDaemon(true);
    return thread;
  }

  /** Sends what is left if somebody takes it, and stops. */
  @Override
  public void close() {
    if (thread.isShutdown()) {
      return;
    }
    thread.execute(
        () -> {
          if (said == Said.REACHED) {
            flush();
          }
          link.close();
        });
    thread.shutdown();
    try {
      var unused = thread.awaitTermination(SECONDS_TO_END, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
