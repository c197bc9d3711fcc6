package dev.sluice.statsd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes what it is told as lines, and sends them as often as a packet is full. From the first
 * failure on, and if there is no way at all, lines are counted and dropped. Used by one thread.
 */
final class Lines implements Stats.Hearer {
  /** No datagram carries twice as much. */
  private static final int LONGEST = 32_768;

  private final Format format;
  private final @Nullable Link link;
  private ByteBuf packet = Unpooled.EMPTY_BUFFER;
  private int packed;
  private long sent;
  private long dropped;
  private @Nullable IOException failure;

  /**
   * Lines of one flush.
   *
   * @param link where they go; nowhere, if there is none
   */
  Lines(Format format, @Nullable Link link) {
    this.format = format;
    this.link = link;
  }

  @Override
  public void count(String name, long more) {
    add(name, more + "|c");
  }

  @Override
  public void gauge(String name, long level) {
    add(name, level + "|g");
  }

  @Override
  public void times(String name, long[] calls) {
    long all = 0;
    for (long some : calls) {
      all += some;
    }
    Sampling sampling = Sampling.of(all);
    String kind = "|ms" + sampling.rate();
    sampling.take(calls, millis -> add(name, millis + kind));
  }

  private void add(String name, String value) {
    if (link == null || failure != null) {
      dropped++;
      return;
    }
    byte[] line = format.line(name, value).getBytes(StandardCharsets.UTF_8);
    if (line.length > LONGEST || !hasRoom(line.length, link)) {
      dropped++;
      return;
    }
    if (packed == 0) {
      packet = Unpooled.buffer(link.most());
    }
    packet.writeBytes(line);
    packed++;
  }

  /** Makes room for a line by sending those before it, if need be and if that goes well. */
  private boolean hasRoom(int bytes, Link way) {
    if (packet.readableBytes() + bytes > way.most()) {
      send(way);
    }
    return failure == null;
  }

  private void send(Link way) {
    int lines = packed;
    packed = 0;
    if (lines == 0) {
      return;
    }
    ByteBuf full = packet;
    packet = Unpooled.EMPTY_BUFFER;
    try {
      way.send(full);
      sent += lines;
    } catch (IOException e) {
      failure = e;
      dropped += lines;
    }
  }

  /** Sends what is left. Nothing may be told after that. */
  void end() {
    if (link != null) {
      send(link);
    }
  }

  /** What went wrong first, if anything did. */
  @Nullable IOException failure() {
    return failure;
  }

  /** How many lines the machine has taken. */
  long sent() {
    return sent;
  }

  /** How many nobody has. */
  long dropped() {
    return dropped;
  }
}
