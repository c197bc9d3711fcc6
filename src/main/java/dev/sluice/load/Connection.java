package dev.sluice.load;

import dev.sluice.transport.EventLoops;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One connection that makes unary calls, any number of them at a time.
 *
 * <p>It does as little as it can for each, so that what is measured is the server: messages are
 * bytes, headers are the same for all, and of answers only frames are looked at. What the server's
 * windows or its number of streams do not allow yet waits here. Confined to its event loop, but for
 * {@link #open}, {@link #loop} and {@link #close}.
 */
public final class Connection implements AutoCloseable {
  private static final int LARGEST_MESSAGE = Frames.LARGEST_FRAME - Frames.PREFIX_BYTES;

  private final Channel channel;
  private final CallListener listener;
  private final HeaderBlocks headers;
  private final CompletableFuture<Connection> opened;
  private final IntObjectMap<Call> underWay = new IntObjectHashMap<>();
  private final Queue<Waiting> waiting = new ArrayDeque<>();
  private @Nullable ByteBuf unsent;
  private int nextStream = 1;
  private long window = Frames.FIRST_WINDOW;
  private long mostStreams = Integer.MAX_VALUE;
  private boolean leaving;

  /** A call whose answer has not come to its end. */
  private static final class Call {
    private final long stamp;
    private boolean answered;

    Call(long stamp) {
      this.stamp = stamp;
    }
  }

  /** A call that has not been sent. */
  private static final class Waiting {
    private final byte[] message;
    private final long stamp;

    Waiting(byte[] message, long stamp) {
      this.message = message;
      this.stamp = stamp;
    }
  }

  private Connection(
      Channel channel, Target target, CallListener listener, CompletableFuture<Connection> opened) {
    this.opened = opened;
    this.channel = channel;
    this.listener = listener;
    headers = new HeaderBlocks(target);
  }

  /** Connects. The stage completes once the server has said its settings, or fails. */
  public static CompletionStage<Connection> open(
      Target target, EventLoops loops, CallListener listener) {
    CompletableFuture<Connection> opened = new CompletableFuture<>();
    var unused =
        new Bootstrap()
            .group(loops.group())
            .channel(loops.clientChannel())
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    Connection made = new Connection(channel, target, listener, opened);
                    channel.pipeline().addLast(new FrameReader(made));
                  }
                })
            .connect(target.address())
            .addListener(
                (ChannelFuture connected) -> {
                  if (!connected.isSuccess()) {
                    opened.completeExceptionally(connected.cause());
                  }
                });
    return opened;
  }

  /** The channel is connected. */
  void begin() {
    Frames.begin(out());
    flush();
  }

  /** The loop that it belongs to. */
  public EventLoop loop() {
    return channel.eventLoop();
  }

  /** How many calls have not come to their end, sent or not. */
  public int callsUnderWay() {
    return underWay.size() + waiting.size();
  }

  /**
   * Makes a call; it leaves with the next {@link #flush}.
   *
   * @param message at most 16,379 bytes, which is one frame
   * @param stamp what the listener is told with the end of the call
   */
  public void call(byte[] message, long stamp) {
    if (message.length > LARGEST_MESSAGE) {
      throw new IllegalArgumentException(
          String.format(
              "a message has %d bytes (expected at most %d)", message.length, LARGEST_MESSAGE));
    }
    if (leaving) {
      listener.failed(this, stamp, "the server ends the connection");
    } else if (waiting.isEmpty() && mayLeave(message)) {
      send(message, stamp);
    } else {
      waiting.add(new Waiting(message, stamp));
    }
  }

  private boolean mayLeave(byte[] message) {
    return underWay.size() < mostStreams && window >= message.length + Frames.PREFIX_BYTES;
  }

  private void send(byte[] message, long stamp) {
    Frames.call(out(), nextStream, nextStream == 1 ? headers.first() : headers.next(), message);
    underWay.put(nextStream, new Call(stamp));
    window -= message.length + Frames.PREFIX_BYTES;
    nextStream += 2;
  }

  /** Sends what calls have written since the last time. */
  public void flush() {
    ByteBuf bytes = unsent;
    if (bytes != null) {
      unsent = null;
      var unused = channel.writeAndFlush(bytes, channel.voidPromise());
    }
  }

  private ByteBuf out() {
    ByteBuf bytes = unsent;
    if (bytes == null) {
      bytes = channel.alloc().buffer();
      unsent = bytes;
    }
    return bytes;
  }

  private void sendWaiting() {
    Waiting next = waiting.peek();
    while (next != null && mayLeave(next.message)) {
      waiting.remove();
      send(next.message, next.stamp);
      next = waiting.peek();
    }
  }

  /** The server may be sent this much more. */
  void windowGrew(int bytes) {
    window += bytes;
    sendWaiting();
  }

  /** The server takes this many calls at a time. */
  void mostStreams(long most) {
    mostStreams = most;
  }

  void settingsRead() {
    Frames.settingsSeen(out());
    opened.complete(this);
    sendWaiting();
  }

  void pinged(long data) {
    Frames.pingSeen(out(), data);
  }

  /** This much was read since the last time that the server was told. */
  void consumed(int bytes) {
    Frames.windowUpdate(out(), bytes);
  }

  /** An answer came: all of it, or what fits into the first frame. */
  void message(int stream, ByteBuf message) {
    Call call = underWay.get(stream);
    if (call != null && !call.answered) {
      call.answered = true;
      listener.answered(this, call.stamp, message);
    }
  }

  /** The server is done with a stream. */
  void streamEnded(int stream, String reason) {
    Call call = underWay.remove(stream);
    if (call != null && !call.answered) {
      listener.failed(this, call.stamp, reason);
    }
    sendWaiting();
  }

  /** The server takes no more calls; those under way go on. */
  void leave() {
    leaving = true;
  }

  /** No more will come. */
  void connectionEnded(String reason) {
    leaving = true;
    opened.completeExceptionally(new IOException(reason));
    List<Call> lost = List.copyOf(underWay.values());
    List<Waiting> unheard = List.copyOf(waiting);
    underWay.clear();
    waiting.clear();
    lost.stream()
        .filter(call -> !call.answered)
        .forEach(call -> listener.failed(this, call.stamp, reason));
    unheard.forEach(call -> listener.failed(this, call.stamp, reason));
    var unused = channel.close();
  }

  /** Hangs up; calls under way fail. */
  @Override
  public void close() {
    var unused = channel.close();
  }
}
