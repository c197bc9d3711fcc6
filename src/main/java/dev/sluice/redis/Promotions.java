package dev.sluice.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears from sentinels that another server has become the primary.
 *
 * <p>In a planned failover the old primary goes on answering for ten seconds or so, as a primary,
 * and what it is told then is lost: no call fails, so nothing else says that it is time to leave
 * it. There is a subscription to every sentinel, since each tells only what it knows, and none of
 * them has to be there. Thread-safe.
 */
final class Promotions implements AutoCloseable {
  private static final String CHANNEL = "+switch-master";
  private static final Duration AFTER_A_MISS = Duration.ofSeconds(5);

  /** A sentinel may say nothing for months, so only TCP finds out that it is gone. */
  private static final KeepAliveOptions ALIVE =
      KeepAliveOptions.builder()
          .enable()
          .idle(Duration.ofSeconds(10))
          .interval(Duration.ofSeconds(5))
          .count(3)
          .build();

  private final RedisResources resources;
  private final RedisClient client;
  private final String primary;
  private final Consumer<String> listener;
  private volatile boolean closed;

  /**
   * Subscribes, and again whenever that is lost.
   *
   * @param primary the name that sentinels know it by
   * @param listener is told the place of each new primary, as host:port, once by each sentinel
   */
  Promotions(
      String primary,
      List<RedisURI> sentinels,
      ClientOptions options,
      RedisResources resources,
      Consumer<String> listener) {
    this.primary = primary;
    this.resources = resources;
    this.listener = listener;
    SocketOptions sockets = options.getSocketOptions().mutate().keepAlive(ALIVE).build();
    client = RedisClient.create(resources.forLettuce());
    client.setOptions(options.mutate().autoReconnect(true).socketOptions(sockets).build());
    sentinels.forEach(this::subscribe);
  }

  private void subscribe(RedisURI sentinel) {
    if (closed) {
      return;
    }
    var unused =
        client
            .connectPubSubAsync(StringCodec.ASCII, sentinel)
            .whenComplete((made, error) -> connected(sentinel, made));
  }

  private void connected(
      RedisURI sentinel, @Nullable StatefulRedisPubSubConnection<String, String> made) {
    if (made == null) {
      var unused =
          resources
              .timer()
              .newTimeout(
                  it -> subscribe(sentinel), AFTER_A_MISS.toMillis(), TimeUnit.MILLISECONDS);
      return;
    }
    made.addListener(new Messages());
    var unused = made.async().subscribe(CHANNEL);
  }

  /** A message is the name of a primary, its old host and port, and its new ones. */
  private final class Messages extends RedisPubSubAdapter<String, String> {
    @Override
    public void message(String channel, String message) {
      String[] words = message.split(" ", -1);
      if (words.length == 5 && words[0].equals(primary)) {
        listener.accept(words[3] + ":" + words[4]);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    client.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
