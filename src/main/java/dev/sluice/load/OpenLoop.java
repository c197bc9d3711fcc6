package dev.sluice.load;

import dev.sluice.transport.EventLoops;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Load that does not wait for the server: calls are due at even intervals, and each is timed from
 * when it was due, so a server that stalls is charged for every call that should have been made
 * meanwhile (no coordinated omission). It needs loops of one thread.
 */
public final class OpenLoop implements AutoCloseable {
  private final Shape shape;
  private final Messages messages;
  private final Answers answers;
  private final List<Connection> connections = new ArrayList<>();
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private long beganNanos;
  private int sent;
  private int ended;

  /**
   * What is due.
   *
   * @param connections that take turns, at least 1
   * @param callsPerSecond from 1 to 1,000,000
   * @param calls in all, at least 1
   */
  public record Shape(int connections, int callsPerSecond, int calls) {
    private static final int MOST_CALLS_PER_SECOND = 1_000_000;

    public Shape {
      if (connections < 1 || calls < 1) {
        throw new IllegalArgumentException(
            String.format(
                "%d calls by %d connections (expected at least 1 of both)", calls, connections));
      }
      if (callsPerSecond < 1 || callsPerSecond > MOST_CALLS_PER_SECOND) {
        throw new IllegalArgumentException(
            String.format(
                "%d calls per second (expected from 1 to %d)",
                callsPerSecond, MOST_CALLS_PER_SECOND));
      }
    }

    /** When a call is due, in nanoseconds from the begin. */
    private long dueNanos(int call) {
      return call * TimeUnit.SECONDS.toNanos(1) / callsPerSecond;
    }
  }

  /** Load that has not begun. */
  public OpenLoop(Shape shape, Messages messages, Answers answers) {
    this.shape = shape;
    this.messages = messages;
    this.answers = answers;
  }

  /** Connects and makes the calls. The stage completes when all have ended, or fails. */
  public CompletionStage<Void> run(Target target, EventLoops loops) {
    CompletionStage<Void> connected = CompletableFuture.completedFuture(null);
    for (int i = 0; i < shape.connections(); i++) {
      connected =
          connected
              .thenCompose(it -> Connection.open(target, loops, new Ended()))
              .thenAccept(connections::add);
    }
    return connected.thenCompose(
        it -> {
          EventLoop loop = connections.get(0).loop();
          loop.execute(
              () -> {
                beganNanos = System.nanoTime();
                sendDue(loop);
              });
          return end;
        });
  }

  private void sendDue(EventLoop loop) {
    long passed = System.nanoTime() - beganNanos;
    while (sent < shape.calls() && shape.dueNanos(sent) <= passed) {
      Connection connection = connections.get(sent % connections.size());
      connection.call(messages.next(), beganNanos + shape.dueNanos(sent));
      connection.flush();
      sent++;
    }
    if (sent < shape.calls()) {
      long wait = Math.max(0, beganNanos + shape.dueNanos(sent) - System.nanoTime());
      var unused = loop.schedule(() -> sendDue(loop), wait, TimeUnit.NANOSECONDS);
    }
  }

  /** Counts the calls that have ended. */
  private final class Ended implements CallListener {
    @Override
    public void answered(Connection connection, long stamp, ByteBuf message) {
      answers.answered(System.nanoTime() - stamp, message);
      count();
    }

    @Override
    public void failed(Connection connection, long stamp, String reason) {
      answers.failed(reason);
      count();
    }

    private void count() {
      ended++;
      if (ended == shape.calls()) {
        end.complete(null);
      }
    }
  }

  /** Hangs up. */
  @Override
  public void close() {
    connections.forEach(Connection::close);
  }
}
