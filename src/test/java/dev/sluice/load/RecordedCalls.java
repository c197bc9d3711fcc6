package dev.sluice.load;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what came of calls. Thread-safe. */
final class RecordedCalls implements CallListener {
  private final List<Long> answered = new CopyOnWriteArrayList<>();
  private final List<Integer> lengths = new CopyOnWriteArrayList<>();
  private final List<String> failed = new CopyOnWriteArrayList<>();

  @Override
  public void answered(Connection connection, long stamp, ByteBuf message) {
    lengths.add(message.readableBytes());
    answered.add(stamp);
  }

  @Override
  public void failed(Connection connection, long stamp, String reason) {
    failed.add(stamp + ": " + reason);
  }

  /** The stamps of calls that were answered. */
  List<Long> answered() {
    return answered;
  }

  /** How long the answers were. */
  List<Integer> lengths() {
    return lengths;
  }

  /** The stamps of calls that failed, and why. */
  List<String> failed() {
    return failed;
  }
}
