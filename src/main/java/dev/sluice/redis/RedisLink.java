package dev.sluice.redis;

import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStoreException.Reason;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way to one Redis, be it a server or a cluster, that all calls share.
 *
 * <p>It is made in the background and made again for as long as the link is open, with a random
 * delay that grows. While there is none, calls are refused, not queued; calls whose reply was lost
 * are not made again, since they may have been carried out. A call ends when it is answered or its
 * connection is given up, and not before. It is told what becomes of calls, and looks for another
 * server when they say that this one is no good. Thread-safe.
 */
public abstract sealed class RedisLink implements AutoCloseable permits DirectLink, ClusterLink {
  private final RedisResources resources;
  private final CompletableFuture<Boolean> attempted = new CompletableFuture<>();
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

  RedisLink(RedisResources resources) {
    this.resources = resources;
  }

  /**
   * A link that starts to connect at once.
   *
   * @param queue how many calls may wait for their replies on one connection
   * @param scripts that every server it finds is given
   * @throws IllegalArgumentException if the files for TLS are not good
   */
  public static RedisLink open(
      RedisAddress address, int queue, RedisScripts scripts, RedisResources resources) {
    ClientOptions options =
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .replayFilter(command -> true)
            .requestQueueSize(queue)
            .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
            .sslOptions(address.sslOptions())
            .socketOptions(
                SocketOptions.builder().connectTimeout(address.timeout()).keepAlive(true).build())
            .build();
    return address.topology() instanceof Topology.Cluster
        ? new ClusterLink(address, options, scripts, resources)
        : new DirectLink(address, options, scripts, resources);
  }

  /** Which slot a bucket falls to; the buckets of one call fall to the same. */
  abstract int slot(String keyPrefix, BucketKey key);

  /** The commands of the way that there is now, or null while there is none. */
  abstract @Nullable RedisClusterAsyncCommands<String, String> commands();

  /**
   * A call is about to be made by these commands; {@link #heard} or {@link #failed} follows.
   *
   * @return whether it may be; not while too many wait already, and then nothing follows
   */
  abstract boolean sent(RedisClusterAsyncCommands<String, String> by);

  /** A call that was made by these commands was answered, however late. */
  abstract void heard(RedisClusterAsyncCommands<String, String> by);

  /** A call that was made by these commands was answered by an error, or will not be answered. */
  abstract void failed(RedisClusterAsyncCommands<String, String> by, Reason reason);

  /**
   * Completes, always well, once the first attempt to connect has come to an end, with whether it
   * was good.
   */
  public final CompletionStage<Boolean> firstAttempt() {
    return attempted;
  }

  final void later(Runnable action, Duration delay) {
    resources.timer().newTimeout(it -> action.run(), delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Gives a server the scripts, so that it does not have to be told their texts later; completes
   * once it has them, and fails if it does not take them.
   */
  static CompletionStage<Void> load(
      RedisScripts scripts, RedisScriptingAsyncCommands<String, String> to) {
    return CompletableFuture.allOf(
        scripts.all().stream()
            .map(script -> to.scriptLoad(script.text()).toCompletableFuture())
            .toArray(CompletableFuture[]::new));
  }

  /**
   * Tells the address of a server, as host:port or as the settings name it, whenever a new
   * connection to it was answered: calls that failed a moment ago may be answered now.
   *
   * @param listener is called on any thread and must not block or throw
   */
  public final void onAnswer(Consumer<String> listener) {
    listeners.add(listener);
  }

  final void answers(String server) {
    listeners.forEach(listener -> listener.accept(server));
  }

  final ConnectionObserver observer() {
    return resources.observer();
  }

  final void attempted() {
    attempted.complete(commands() != null);
  }

  /** Whether the other end of a connection is a place, said as host:port. */
  static boolean isAt(SocketAddress remote, String place) {
    if (!(remote instanceof InetSocketAddress it) || it.isUnresolved()) {
      return false;
    }
    String port = ":" + it.getPort();
    return place.equals(it.getHostString() + port)
        || place.equals(it.getAddress().getHostAddress() + port);
  }

  /** The last cause of a failure, for people, in one line. */
  static String root(@Nullable Throwable error) {
    Throwable cause = error;
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause == null
        ? "no reason given"
        : String.valueOf(cause.getMessage()).strip().replaceAll("\\s*\\n\\s*", " ");
  }

  /** Closes the connections; calls that wait fail. */
  @Override
  public abstract void close();
}
