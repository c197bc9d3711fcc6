package dev.sluice.statsd;

import dev.sluice.transport.EventLoops;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DatagramChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The way to who collects. Only one thread uses it, and waits there for a second at most, each time
 * that it asks for something; the event loops never wait.
 */
final class Link implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 1_000;

  private final EventLoops loops;
  private final Target target;
  private @Nullable Channel channel;
  private int attempts;

  /**
   * A way that is not open.
   *
   * @param loops that serve it; it does not own them
   */
  Link(EventLoops loops, Target target) {
    this.loops = loops;
    this.target = target;
  }

  /** How many bytes may be sent together. */
  int most() {
    return target.protocol().most();
  }

  /** Whether a connection is there, and nobody has ended it. */
  boolean isOpen() {
    return channel != null && channel.isActive();
  }

  /**
   * Opens it. A name is looked up each time, and if it has several addresses, they take turns.
   *
   * @throws IOException if it cannot be had
   */
  void open() throws IOException {
    close();
    InetAddress[] addresses = InetAddress.getAllByName(target.host());
    InetAddress address = addresses[Math.floorMod(attempts++, addresses.length)];
    boolean datagrams = target.protocol() == Target.Protocol.UDP;
    ChannelFuture connected =
        new Bootstrap()
            .group(loops.group())
            .channel(datagrams ? loops.datagramChannel() : loops.clientChannel())
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, PATIENCE_MILLIS)
            .handler(new Deaf())
            .connect(new InetSocketAddress(address, target.port()));
    channel = connected.channel();
    awaited(connected);
  }

  /**
   * Sends lines, and waits until the machine has taken them.
   *
   * @param lines which it releases
   * @throws IOException if it has not
   */
  void send(ByteBuf lines) throws IOException {
    if (channel == null) {
      lines.release();
      throw new IOException("not connected");
    }
    awaited(channel.writeAndFlush(lines));
  }

  private void awaited(ChannelFuture future) throws IOException {
    if (!future.awaitUninterruptibly(PATIENCE_MILLIS)) {
      close();
      throw new IOException("nothing happened for a second");
    }
    Throwable cause = future.cause();
    if (cause != null) {
      throw new IOException(cause.getMessage(), cause);
    }
  }

  @Override
  public void close() {
    if (channel != null) {
      var unused = channel.close();
      channel = null;
    }
  }

  /** Nobody is listened to here; that a datagram did not arrive is told to who sends the next. */
  private static final class Deaf extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (!(context.channel() instanceof DatagramChannel)) {
        var unused = context.close();
      }
    }
  }
}
