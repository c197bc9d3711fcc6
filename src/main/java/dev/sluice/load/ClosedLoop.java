package dev.sluice.load;

import dev.sluice.transport.EventLoops;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Load that is as much as the server can take: so many calls are under way at any time, and each
 * that ends is followed by another. A call that fails is not. Thread-safe.
 */
public final class ClosedLoop implements AutoCloseable {
  private final Shape shape;
  private final Messages messages;
  private final Answers answers;
  private final List<Connection> connections = new CopyOnWriteArrayList<>();
  private volatile boolean stopped;

  /**
   * How much is under way.
   *
   * @param connections at least 1
   * @param callsEach that each has under way, at least 1
   */
  public record Shape(int connections, int callsEach) {
    public Shape {
      if (connections < 1 || callsEach < 1) {
        throw new IllegalArgumentException(
            String.format(
                "%d connections with %d calls each (expected at least 1 of both)",
                connections, callsEach));
      }
    }
  }

  /** Load that has not begun. */
  public ClosedLoop(Shape shape, Messages messages, Answers answers) {
    this.shape = shape;
    this.messages = messages;
    this.answers = answers;
  }

  /** Connects and begins. The stage completes when all is under way, or with what kept it. */
  public CompletionStage<Void> begin(Target target, EventLoops loops) {
    CompletionStage<Void> begun = CompletableFuture.completedFuture(null);
    for (int i = 0; i < shape.connections(); i++) {
      begun =
          begun
              .thenCompose(it -> Connection.open(target, loops, new Again()))
              .thenAccept(this::fill);
    }
    return begun;
  }

  private void fill(Connection connection) {
    connections.add(connection);
    connection
        .loop()
        .execute(
            () -> {
              for (int i = 0; i < shape.callsEach(); i++) {
                callNext(connection);
              }
              connection.flush();
            });
  }

  private void callNext(Connection connection) {
    if (!stopped) {
      connection.call(messages.next(), System.nanoTime());
    }
  }

  /** Follows each call by another. */
  private final class Again implements CallListener {
    @Override
    public void answered(Connection connection, long stamp, ByteBuf message) {
      answers.answered(System.nanoTime() - stamp, message);
      callNext(connection);
    }

    @Override
    public void failed(Connection connection, long stamp, String reason) {
      if (!stopped) {
        answers.failed(reason);
      }
    }
  }

  /** Makes no more calls; those under way go on. */
  public void stop() {
    stopped = true;
  }

  /** Makes no more calls, and hangs up. */
  @Override
  public void close() {
    stop();
    connections.forEach(Connection::close);
  }
}
