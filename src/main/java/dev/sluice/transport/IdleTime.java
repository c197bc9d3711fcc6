package dev.sluice.transport;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes handlers of I/O, and measures how long their loops wait with nothing to do.
 *
 * <p>What an answer takes is told apart by it: the time in which its loop had other work is not the
 * time of whoever is asked. Thread-safe; what a loop waited is known once it has ended to.
 */
final class IdleTime implements IoHandlerFactory {
  private final IoHandlerFactory handlers;
  private final List<Measured> measured = new CopyOnWriteArrayList<>();

  IdleTime(IoHandlerFactory handlers) {
    this.handlers = handlers;
  }

  @Override
  public IoHandler newHandler(ThreadAwareExecutor executor) {
    Measured handler = new Measured(handlers.newHandler(executor));
    measured.add(handler);
    return handler;
  }

  @Override
  public boolean isChangingThreadSupported() {
    return handlers.isChangingThreadSupported();
  }

  /** See {@link EventLoops#idleShare}. */
  DoubleSupplier share() {
    return new Share();
  }

  /** What a loop has waited up to now, in nanoseconds: the average of all. */
  private long nanos() {
    long sum = 0;
    for (Measured handler : measured) {
      sum += handler.idleNanos.get();
    }
    return sum / measured.size();
  }

  private final class Share implements DoubleSupplier {
    private long askedNanos = System.nanoTime();
    private long idleNanos = nanos();

    @Override
    public double getAsDouble() {
      long now = System.nanoTime();
      long idle = nanos();
      double share = (double) (idle - idleNanos) / Math.max(1, now - askedNanos);
      askedNanos = now;
      idleNanos = idle;
      return Math.min(1, share);
    }
  }

  /** One loop's; that thread alone runs it. */
  private static final class Measured implements IoHandler {
    private final IoHandler handler;
    private final AtomicLong idleNanos = new AtomicLong();
    private @Nullable Reported context;

    Measured(IoHandler handler) {
      this.handler = handler;
    }

    @Override
    public int run(IoHandlerContext loop) {
      Reported reported = reported(loop);
      long beganNanos = System.nanoTime();
      int handled = handler.run(reported);
      long waited = System.nanoTime() - beganNanos - reported.takeActiveNanos();
      idleNanos.setRelease(idleNanos.getPlain() + Math.max(0, waited));
      return handled;
    }

    private Reported reported(IoHandlerContext loop) {
      Reported known = context;
      if (known == null || known.loop != loop) {
        known = new Reported(loop);
        context = known;
      }
      return known;
    }

    @Override
    public void initialize() {
      handler.initialize();
    }

    @Override
    public void prepareToDestroy() {
      handler.prepareToDestroy();
    }

    @Override
    public void destroy() {
      handler.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
      return handler.register(handle);
    }

    @Override
    public void wakeup() {
      handler.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
      return handler.isCompatible(type);
    }
  }

  /** What a loop says to its handler, and how long the handler says it was at work. */
  private static final class Reported implements IoHandlerContext {
    private final IoHandlerContext loop;
    private long activeNanos;

    Reported(IoHandlerContext loop) {
      this.loop = loop;
    }

    long takeActiveNanos() {
      long taken = activeNanos;
      activeNanos = 0;
      return taken;
    }

    @Override
    public boolean canBlock() {
      return loop.canBlock();
    }

    @Override
    public long delayNanos(long currentTimeNanos) {
      return loop.delayNanos(currentTimeNanos);
    }

    @Override
    public long deadlineNanos() {
      return loop.deadlineNanos();
    }

    @Override
    public boolean shouldReportActiveIoTime() {
      return true;
    }

    @Override
    public void reportActiveIoTime(long nanos) {
      activeNanos += nanos;
      if (loop.shouldReportActiveIoTime()) {
        loop.reportActiveIoTime(nanos);
      }
    }
  }
}
