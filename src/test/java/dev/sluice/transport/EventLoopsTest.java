package dev.sluice.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventLoopsTest {
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long WHILE = TimeUnit.MILLISECONDS.toNanos(100);

  private final EventLoops loops = new EventLoops(1);
  private final List<String> seen = new CopyOnWriteArrayList<>();

  /** Notes what it reads. */
  private final class Reader extends SimpleChannelInboundHandler<ByteBuf> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
      seen.add("the answer");
    }
  }

  @AfterEach
  void close() {
    loops.close();
  }

  @Test
  void whatArrivedWhileTheLoopWasBusyIsReadBeforeTheTimeIsUp() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Channel client =
          new Bootstrap()
              .group(loops.group())
              .channel(loops.clientChannel())
              .handler(new Reader())
              .connect(server.getLocalSocketAddress())
              .sync()
              .channel();
      CountDownLatch busy = new CountDownLatch(1);
      CompletableFuture<Void> up = new CompletableFuture<>();
      try (Socket peer = server.accept()) {
        client.eventLoop().execute(() -> await(busy));
        peer.getOutputStream().write(1);
        var unused =
            loops.afterLook(
                TICK,
                () -> {
                  seen.add("time is up");
                  up.complete(null);
                });
        // The timer has rung by then, and the loop has not looked yet.
        unused = loops.after(20 * TICK, busy::countDown);
        up.get(10, TimeUnit.SECONDS);
      }
      client.close().sync();
    }
    assertThat(seen).containsExactly("the answer", "time is up");
  }

  @Test
  void whatIsTakenBackInTimeIsNotDone() throws Exception {
    loops.afterLook(50 * TICK, () -> seen.add("done")).run();
    CompletableFuture<Void> later = new CompletableFuture<>();
    var unused = loops.afterLook(100 * TICK, () -> later.complete(null));
    later.get(10, TimeUnit.SECONDS);
    assertThat(seen).isEmpty();
  }

  @Test
  void aLoopThatHasSomethingToDoIsNotIdle() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    var unused = loops.after(WHILE, busy::countDown);
    double share =
        loops
            .group()
            .submit(
                () -> {
                  DoubleSupplier idle = loops.idleShare();
                  await(busy);
                  return idle.getAsDouble();
                })
            .get(10, TimeUnit.SECONDS);
    assertThat(share).isZero();
  }

  @Test
  void aLoopThatHasNothingToDoIsIdle() throws Exception {
    DoubleSupplier idle = loops.group().submit(loops::idleShare).get(10, TimeUnit.SECONDS);
    CompletableFuture<Double> share = new CompletableFuture<>();
    var unused =
        loops.after(WHILE, () -> loops.group().execute(() -> share.complete(idle.getAsDouble())));
    assertThat(share.get(10, TimeUnit.SECONDS)).isGreaterThan(0.5).isLessThanOrEqualTo(1.0);
  }

  private static void await(CountDownLatch latch) {
    try {
      var unused = latch.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
