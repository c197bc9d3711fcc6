package dev.sluice.redis;

import dev.sluice.transport.EventLoops;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.netty.util.Timer;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection to Redis that all calls share.
 *
 * <p>It is made in the background and made again for as long as the link is open, with a random
 * delay that grows. While there is none, calls are refused, not queued; calls whose reply was lost
 * are not made again, since they may have been carried out. Thread-safe.
 */
public final class RedisLink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);

  private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

  private final Timer timer;
  private final Delay delay =
      Delay.fullJitter(Duration.ofMillis(50), LONGEST_DELAY, 50, TimeUnit.MILLISECONDS);
  private final ClientResources resources;
  private final RedisClient client;
  private final RedisAddress address;
  private final RedisURI uri;
  private final RedisScripts scripts;
  private volatile @Nullable StatefulRedisConnection<String, String> connection;
  private final CompletableFuture<Void> attempted = new CompletableFuture<>();
  private volatile boolean closed;

  /**
   * A link that starts to connect at once.
   *
   * @param queue how many calls may wait for their replies at one time
   * @throws IllegalArgumentException if the files for TLS are not good
   */
  public RedisLink(
      RedisAddress address,
      int queue,
      RedisScripts scripts,
      EventLoops loops,
      ConnectionObserver observer) {
    this.scripts = scripts;
    this.address = address;
    uri = address.uri();
    ClientOptions options = options(address, queue);
    timer = loops.timer();
    resources =
        ClientResources.builder()
            .eventLoopGroupProvider(new SharedEventLoops(loops))
            .eventExecutorGroup(loops.group())
            .timer(timer)
            .reconnectDelay(delay)
            .build();
    client = RedisClient.create(resources);
    client.setOptions(options);
    client.addListener(new ScriptLoader());
    client.addListener(new Count(observer));
    connect(1);
  }

  private static ClientOptions options(RedisAddress address, int queue) {
    return ClientOptions.builder()
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .replayFilter(command -> true)
        .requestQueueSize(queue)
        .sslOptions(address.sslOptions())
        .socketOptions(
            SocketOptions.builder().connectTimeout(address.timeout()).keepAlive(true).build())
        .build();
  }

  /** The commands of the connection, or null while there has never been one. */
  @Nullable RedisAsyncCommands<String, String> commands() {
    StatefulRedisConnection<String, String> current = connection;
    return current == null ? null : current.async();
  }

  /**
   * Completes, always well, once the first attempt to connect has come to an end, be it good or
   * bad.
   */
  public CompletionStage<Void> firstAttempt() {
    return attempted;
  }

  private void connect(long attempt) {
    if (closed) {
      return;
    }
    var unused =
        client
            .connectAsync(StringCodec.ASCII, uri)
            .whenComplete(
                (made, error) -> {
                  if (made != null) {
                    connected(made);
                  } else if (!closed) {
                    failed(attempt, error);
                  }
                  attempted.complete(null);
                });
  }

  private void failed(long attempt, @Nullable Throwable error) {
    if (attempt == 1) {
      LOG.warn(
          "Redis at {} cannot be reached: {}. Trying again until it can.", address, root(error));
    }
    timer.newTimeout(
        it -> connect(attempt + 1), delay.createDelay(attempt).toNanos(), TimeUnit.NANOSECONDS);
  }

  private void connected(StatefulRedisConnection<String, String> made) {
    connection = made;
    if (closed) {
      var unused = made.closeAsync();
      return;
    }
    LOG.info("Connected to Redis at {}.", address);
    loadScripts(made);
  }

  private void loadScripts(StatefulRedisConnection<String, String> to) {
    for (RedisScript script : scripts.all()) {
      var unused = to.async().scriptLoad(script.text());
    }
  }

  /** Gives the scripts to each Redis that the connection finds when it is made again. */
  private final class ScriptLoader implements RedisConnectionStateListener {
    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress remote) {
      StatefulRedisConnection<String, String> current = connection;
      if (current != null) {
        loadScripts(current);
      }
    }
  }

  /** Tells of each connection once when it comes, and once when it goes. */
  private record Count(ConnectionObserver observer) implements RedisConnectionStateListener {
    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress remote) {
      observer.opened();
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
      observer.closed();
    }
  }

  private static String root(@Nullable Throwable error) {
    Throwable cause = error;
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause == null ? "no reason given" : String.valueOf(cause.getMessage());
  }

  /** Closes the connection; calls that wait fail. */
  @Override
  public void close() {
    closed = true;
    client.shutdown(0, 1, TimeUnit.SECONDS);
    resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1_000);
  }
}
