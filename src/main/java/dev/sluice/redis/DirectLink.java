package dev.sluice.redis;

import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStoreException.Reason;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one server: the one at an address, or the primary that sentinels name.
 *
 * <p>It is one connection. It is given up when it breaks, when the server says that it is no
 * primary or does not let us in, and when calls have waited in vain for a second: the next one may
 * lead to another server, since names and sentinels are asked anew for each.
 */
final class DirectLink extends RedisLink {
  private static final Logger LOG = LoggerFactory.getLogger(DirectLink.class);
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(1);
  private static final Duration WATCH = Duration.ofMillis(200);

  private final RedisClient client;
  private final RedisAddress address;
  private final RedisURI uri;
  private final RedisScripts scripts;
  private final int queue;
  private final Backoff backoff = new Backoff();
  private final AtomicInteger attempts = new AtomicInteger();

  /** Written under the lock of this. */
  private volatile @Nullable Line line;

  private volatile boolean inTrouble;
  private volatile boolean closed;

  DirectLink(
      RedisAddress address, ClientOptions options, RedisScripts scripts, RedisResources resources) {
    super(resources);
    this.scripts = scripts;
    queue = options.getRequestQueueSize();
    this.address = address;
    uri = address.uri(resources.elsewhere());
    client = RedisClient.create(resources.forLettuce());
    client.setOptions(options.mutate().autoReconnect(false).build());
    client.addListener(new Disconnections());
    connect();
    watch();
  }

  @Override
  int slot(String keyPrefix, BucketKey key) {
    return 0;
  }

  @Override
  @Nullable RedisClusterAsyncCommands<String, String> commands() {
    Line current = line;
    return current == null ? null : current.commands;
  }

  @Override
  boolean sent(RedisClusterAsyncCommands<String, String> by) {
    Line current = line;
    return current == null || current.commands != by || current.sent(queue);
  }

  @Override
  void heard(RedisClusterAsyncCommands<String, String> by) {
    Line current = line;
    if (current != null && current.commands == by) {
      current.heard();
      if (attempts.get() != 0) {
        attempts.set(0);
      }
    }
  }

  @Override
  void failed(RedisClusterAsyncCommands<String, String> by, Reason reason) {
    Line current = line;
    if (current == null || current.commands != by) {
      return;
    }
    current.heard();
    switch (reason) {
      case READ_ONLY, MASTER_DOWN, NO_ACCESS -> giveUp(current, reason.name());
      default -> {}
    }
  }

  private void watch() {
    if (closed) {
      return;
    }
    Line current = line;
    if (current != null && current.silentNanos() > LONGEST_SILENCE.toNanos()) {
      giveUp(current, "no reply for " + LONGEST_SILENCE.toSeconds() + " s");
    }
    later(this::watch, WATCH);
  }

  private void giveUp(Line given, String why) {
    LOG.debug("The connection to Redis at {} is given up: {}.", address, why);
    lost(given.connection);
    var unused = given.connection.closeAsync();
  }

  /** Looks for another connection, once for each that is lost. */
  private void lost(Object connection) {
    synchronized (this) {
      Line current = line;
      if (current == null || current.connection != connection) {
        return;
      }
      line = null;
    }
    observer().closed();
    connectLater();
  }

  private void connectLater() {
    if (!closed) {
      later(this::connect, backoff.createDelay(attempts.incrementAndGet()));
    }
  }

  private void connect() {
    var unused =
        client
            .connectAsync(StringCodec.ASCII, uri)
            .whenComplete(
                (made, error) -> {
                  if (made != null) {
                    connected(made);
                  } else if (!closed) {
                    failed(error);
                  }
                  attempted();
                });
  }

  private void failed(@Nullable Throwable error) {
    if (!inTrouble) {
      inTrouble = true;
      LOG.warn(
          "Redis at {} cannot be reached: {}. Trying again until it can.", address, root(error));
    }
    connectLater();
  }

  private void connected(StatefulRedisConnection<String, String> made) {
    synchronized (this) {
      line = new Line(made);
    }
    observer().opened();
    if (closed) {
      var unused = made.closeAsync();
      return;
    }
    if (inTrouble || !firstAttempt().toCompletableFuture().isDone()) {
      inTrouble = false;
      LOG.info("Connected to Redis at {}.", address);
    }
    load(scripts, made.async());
    if (!made.isOpen()) {
      lost(made);
    }
  }

  /** A connection, and how long calls have been waiting for a word from the other end. */
  private static final class Line {
    private final StatefulRedisConnection<String, String> connection;
    private final RedisClusterAsyncCommands<String, String> commands;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile long heardNanos;

    Line(StatefulRedisConnection<String, String> connection) {
      this.connection = connection;
      this.commands = connection.async();
    }

    boolean sent(int most) {
      int before = waiting.get();
      if (before >= most) {
        return false;
      }
      if (before == 0) {
        heardNanos = System.nanoTime();
      }
      waiting.incrementAndGet();
      return true;
    }

    void heard() {
      heardNanos = System.nanoTime();
      waiting.decrementAndGet();
    }

    long silentNanos() {
      return waiting.get() > 0 ? System.nanoTime() - heardNanos : 0;
    }
  }

  private final class Disconnections implements RedisConnectionStateListener {
    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
      lost(handler);
    }
  }

  @Override
  public void close() {
    closed = true;
    client.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
