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
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one server: the one at an address, or the primary that sentinels name.
 *
 * <p>It is one connection. It is given up when it breaks or falls silent, when the server says that
 * it is no primary or does not let us in, and when a sentinel says that another one is: the next
 * one may lead to another server, since names and sentinels are asked anew for each.
 */
final class DirectLink extends RedisLink {
  private static final Logger LOG = LoggerFactory.getLogger(DirectLink.class);
  private static final String BROKEN = "it is broken";

  private final RedisClient client;
  private final RedisAddress address;
  private final RedisURI uri;
  private final RedisScripts scripts;
  private final int queue;
  private final Backoff backoff = new Backoff();
  private final AtomicInteger attempts = new AtomicInteger();
  private final Optional<Promotions> promotions;

  /** Written under the lock of this. */
  private volatile @Nullable Line line;

  /** Where the last connection that was made leads to. */
  private volatile @Nullable End end;

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
    client.addListener(new Connections());
    promotions =
        address.topology() instanceof Topology.Sentinel sentinel
            ? Optional.of(
                new Promotions(
                    sentinel.primary(), uri.getSentinels(), options, resources, this::promoted))
            : Optional.empty();
    connect();
  }

  /** The other end of a connection. */
  private record End(Object connection, SocketAddress place) {}

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
      current.waiting.decrementAndGet();
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
    current.waiting.decrementAndGet();
    switch (reason) {
      case READ_ONLY, MASTER_DOWN, NO_ACCESS -> giveUp(current, reason.name());
      default -> {}
    }
  }

  private void promoted(String place) {
    Line current = line;
    End known = end;
    boolean there =
        current != null
            && known != null
            && known.connection == current.connection
            && isAt(known.place, place);
    if (current != null && !there) {
      giveUp(current, "the primary is " + place + " now");
    }
  }

  private void giveUp(Line given, String why) {
    synchronized (this) {
      if (line != given) {
        return;
      }
      line = null;
    }
    LOG.debug("The connection to Redis at {} is given up: {}.", address, why);
    observer().closed();
    connectLater();
    var unused = given.connection.closeAsync();
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
    Line current = new Line(made);
    synchronized (this) {
      line = current;
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
    var unused = load(scripts, made.async()).thenRun(() -> answers(address.toString()));
    if (!made.isOpen()) {
      giveUp(current, BROKEN);
    }
  }

  /** A connection, and how many calls wait for their replies on it. */
  private static final class Line {
    private final StatefulRedisConnection<String, String> connection;
    private final RedisClusterAsyncCommands<String, String> commands;
    private final AtomicInteger waiting = new AtomicInteger();

    Line(StatefulRedisConnection<String, String> connection) {
      this.connection = connection;
      this.commands = connection.async();
    }

    boolean sent(int most) {
      if (waiting.get() >= most) {
        return false;
      }
      waiting.incrementAndGet();
      return true;
    }
  }

  private final class Connections implements RedisConnectionStateListener {
    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress remote) {
      end = new End(handler, remote);
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
      Line current = line;
      if (current != null && current.connection == handler) {
        giveUp(current, BROKEN);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    promotions.ifPresent(Promotions::close);
    client.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
