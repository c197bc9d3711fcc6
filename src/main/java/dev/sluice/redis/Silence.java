package dev.sluice.redis;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection on which nothing was heard for a second or a little more, although something
 * was sent: the other end is frozen, or packets get lost, and TCP would find that out much later.
 *
 * <p>Looks are counted and not time, so that a pause of this process is no silence of the other
 * end. While nothing is sent it does nothing. One for each channel; not thread-safe, it runs on the
 * channel's loop.
 */
final class Silence extends ChannelDuplexHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Silence.class);
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final int LONGEST = 6;

  /** Whether something was sent since something was heard. */
  private boolean waiting;

  private boolean looking;
  private int silentLooks;

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    waiting = true;
    if (!looking) {
      looking = true;
      silentLooks = 0;
      lookLater(context);
    }
    var unused = context.write(message, promise);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    waiting = false;
    silentLooks = 0;
    context.fireChannelRead(message);
  }

  private void lookLater(ChannelHandlerContext context) {
    var unused =
        context.executor().schedule(() -> look(context), LOOK.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void look(ChannelHandlerContext context) {
    if (!waiting || !context.channel().isActive()) {
      looking = false;
      return;
    }
    silentLooks++;
    if (silentLooks < LONGEST) {
      lookLater(context);
      return;
    }
    LOG.debug("Redis at {} is silent: the connection is given up.", context.channel());
    var unused = context.close();
  }
}
