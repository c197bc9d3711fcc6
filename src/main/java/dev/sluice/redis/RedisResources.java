package dev.sluice.redis;

import dev.sluice.transport.EventLoops;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.util.Timer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** What all links share: the server's event loops and timer, and threads that may block. */
public final class RedisResources implements AutoCloseable {
  private final Timer timer;
  private final ConnectionObserver observer;
  private final ExecutorService elsewhere =
      Executors.newCachedThreadPool(new DefaultThreadFactory("sluice-lookup", true));
  private final ClientResources resources;

  /** Resources on these loops, which stay open when this is closed. */
  public RedisResources(EventLoops loops, ConnectionObserver observer) {
    this.observer = observer;
    timer = loops.timer();
    resources =
        ClientResources.builder()
            .eventLoopGroupProvider(new SharedEventLoops(loops))
            .eventExecutorGroup(loops.group())
            .addressResolverGroup(new NameLookup(elsewhere))
            .reconnectDelay(new Backoff())
            .nettyCustomizer(watched())
            .timer(timer)
            .build();
  }

  private static NettyCustomizer watched() {
    return new NettyCustomizer() {
      @Override
      public void afterChannelInitialized(Channel channel) {
        channel.pipeline().addFirst(new Silence());
      }
    };
  }

  /** For Lettuce. */
  ClientResources forLettuce() {
    return resources;
  }

  Timer timer() {
    return timer;
  }

  /** Is told of connections. */
  ConnectionObserver observer() {
    return observer;
  }

  /** Runs what may block, such as reading a file. */
  ExecutorService elsewhere() {
    return elsewhere;
  }

  /** Ends the threads; links are closed before. */
  @Override
  public void close() {
    resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1_000);
    elsewhere.shutdownNow();
  }
}
