package dev.sluice.transport;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/**
 * One set of event loops for everything that reads from a socket: epoll where the platform has it,
 * else NIO; and one timer.
 *
 * <p>A request that arrives on a loop is sent to Redis, answered by it and answered to Envoy
 * without changing threads more than the sockets' assignment to loops makes it. Nothing that runs
 * on a loop may block.
 */
public final class EventLoops implements AutoCloseable {
  /**
   * What is due comes late by this at most; half of it would cost an idle process twice the
   * wake-ups.
   */
  private static final int TICK_MILLIS = 2;

  private final MultiThreadIoEventLoopGroup group;
  private final IdleTime idle;
  private final Timer timer =
      new HashedWheelTimer(
          new DefaultThreadFactory("sluice-timer", true), TICK_MILLIS, TimeUnit.MILLISECONDS);

  /** Starts that many loops, at least 1. They keep the process alive until they are closed. */
  public EventLoops(int loops) {
    IoHandlerFactory handlers = isEpoll() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    idle = new IdleTime(handlers);
    group = new MultiThreadIoEventLoopGroup(loops, new DefaultThreadFactory("sluice-loop"), idle);
  }

  /** How many there should be where nothing else is said: one for every two processors. */
  public static int standard() {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }

  /** Whether the loops are epoll's. */
  public static boolean isEpoll() {
    return Epoll.isAvailable();
  }

  /** The loops. */
  public EventLoopGroup group() {
    return group;
  }

  /** The one timer. Its thread starts with the first use. */
  public Timer timer() {
    return timer;
  }

  /**
   * Tells the part of the time since it was asked last, from 0 to 1, in which the loops had nothing
   * to do; the average of all. Not thread-safe: whoever asks has one of their own.
   */
  public DoubleSupplier idleShare() {
    return idle.share();
  }

  /**
   * Does something later, on the timer's thread, which it must not block. It may be late by two
   * milliseconds.
   *
   * @return takes that back, if it was not done yet
   */
  public Runnable after(long nanos, Runnable action) {
    Timeout timeout = timer.newTimeout(it -> action.run(), nanos, TimeUnit.NANOSECONDS);
    return timeout::cancel;
  }

  /**
   * Does something once a time is up and every loop has looked at its sockets since, so that
   * whatever has arrived by then comes first, however busy the loops are. On one of the loops,
   * which it must not block.
   *
   * @return takes that back, if the time is not up yet
   */
  public Runnable afterLook(long nanos, Runnable action) {
    return after(nanos, () -> look(action));
  }

  private void look(Runnable action) {
    AtomicInteger missing = new AtomicInteger(group.executorCount());
    Runnable looked =
        () -> {
          if (missing.decrementAndGet() == 0) {
            action.run();
          }
        };
    for (EventExecutor loop : group) {
      loop.execute(() -> afterNextLook(loop, looked));
    }
  }

  /** A loop looks at its sockets before it does what it has scheduled for later, however soon. */
  private static void afterNextLook(EventExecutor loop, Runnable action) {
    var unused = loop.schedule(action, 1, TimeUnit.NANOSECONDS);
  }

  /** The kind of server socket that runs on these loops and listens on such an address. */
  public Class<? extends ServerChannel> serverChannel(SocketAddress address) {
    if (address instanceof InetSocketAddress) {
      return isEpoll() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }
    return isEpoll() ? EpollServerDomainSocketChannel.class : NioServerDomainSocketChannel.class;
  }

  /** The kind of socket that runs on these loops and connects to a host. */
  public Class<? extends Channel> clientChannel() {
    return isEpoll() ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  /** The kind of socket that runs on these loops and sends datagrams. */
  public Class<? extends Channel> datagramChannel() {
    return isEpoll() ? EpollDatagramChannel.class : NioDatagramChannel.class;
  }

  /** Stops the loops once what they hold is done; it waits for two seconds at most. */
  @Override
  public void close() {
    timer.stop();
    var unused =
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
