package dev.sluice.redis;

import dev.sluice.transport.EventLoops;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.TimeUnit;

/** Lends the server's event loops to Lettuce, which must not shut them down. */
final class SharedEventLoops implements EventLoopGroupProvider {
  private final EventLoops loops;

  SharedEventLoops(EventLoops loops) {
    this.loops = loops;
  }

  @Override
  public <T extends EventLoopGroup> T allocate(Class<T> type) {
    return type.cast(loops.group());
  }

  @Override
  public int threadPoolSize() {
    return 1;
  }

  @Override
  public Future<Boolean> release(
      EventExecutorGroup group, long quietPeriod, long timeout, TimeUnit unit) {
    return done();
  }

  @Override
  public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
    return done();
  }

  private static Future<Boolean> done() {
    Promise<Boolean> promise = new DefaultPromise<>(GlobalEventExecutor.INSTANCE);
    return promise.setSuccess(true);
  }
}
