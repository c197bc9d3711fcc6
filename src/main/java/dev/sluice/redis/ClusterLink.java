package dev.sluice.redis;

import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStoreException.Reason;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.StringCodec;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to a cluster: a connection to each primary, found by the slot of the first key of a call.
 *
 * <p>Redirections are followed. Which node has which slot is asked every half minute, and again,
 * twice a second at most, while calls fail.
 */
public final class ClusterLink extends RedisLink {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterLink.class);
  private static final Duration LOOK = Duration.ofSeconds(30);
  private static final Duration SHORTEST = Duration.ofMillis(500);

  private final RedisClusterClient client;
  private final RedisAddress address;
  private final RedisScripts scripts;
  private final Backoff backoff = new Backoff();
  private final Map<String, Node> nodes = new ConcurrentHashMap<>();
  private final Set<Node> supplied = ConcurrentHashMap.newKeySet();
  private final List<Consumer<Set<Node>>> listeners = new CopyOnWriteArrayList<>();
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile @Nullable StatefulRedisClusterConnection<String, String> connection;
  private volatile boolean closed;

  /**
   * A primary.
   *
   * @param id that the cluster knows it by
   * @param address its host and port
   */
  public record Node(String id, String address) {}

  ClusterLink(
      RedisAddress address, ClientOptions options, RedisScripts scripts, RedisResources resources) {
    super(resources);
    this.address = address;
    this.scripts = scripts;
    client =
        RedisClusterClient.create(resources.forLettuce(), address.nodes(resources.elsewhere()));
    client.setOptions(options(options));
    client.addListener(new Connections());
    var unused =
        resources
            .forLettuce()
            .eventBus()
            .get()
            .ofType(ClusterTopologyChangedEvent.class)
            .subscribe(event -> changed());
    connect(1);
  }

  private static ClusterClientOptions options(ClientOptions options) {
    return ClusterClientOptions.builder(options)
        .validateClusterNodeMembership(false)
        .topologyRefreshOptions(
            ClusterTopologyRefreshOptions.builder()
                .enablePeriodicRefresh(LOOK)
                .adaptiveRefreshTriggersTimeout(SHORTEST)
                .refreshTriggersReconnectAttempts(1)
                .build())
        .build();
  }

  /** From 0 to 16383. */
  @Override
  public int slot(String keyPrefix, BucketKey key) {
    return SlotHash.getSlot(keyPrefix + key.text());
  }

  /** The primary that has a slot now, or null while nobody knows one. */
  public @Nullable Node primary(int slot) {
    StatefulRedisClusterConnection<String, String> current = connection;
    RedisClusterNode node =
        current == null ? null : current.getPartitions().getPartitionBySlot(slot);
    return node == null ? null : nodes.computeIfAbsent(node.getNodeId(), id -> node(node));
  }

  /** Tells the primaries that there are whenever they change. */
  public void onChange(Consumer<Set<Node>> listener) {
    listeners.add(listener);
  }

  @Override
  @Nullable RedisClusterAsyncCommands<String, String> commands() {
    StatefulRedisClusterConnection<String, String> current = connection;
    return current == null ? null : current.async();
  }

  @Override
  boolean sent(RedisClusterAsyncCommands<String, String> by) {
    return true;
  }

  @Override
  void heard(RedisClusterAsyncCommands<String, String> by) {}

  @Override
  void failed(RedisClusterAsyncCommands<String, String> by, Reason reason) {
    switch (reason) {
      case QUEUE_FULL, ERROR, OUT_OF_MEMORY, MISCONFIGURED, BUSY -> {}
      default -> look();
    }
  }

  /**
   * Asks which node has which slot, unless that was done just now. For who sees that a node does
   * not answer.
   */
  public void look() {
    if (looking.compareAndSet(false, true)) {
      long beginNanos = System.nanoTime();
      var unused =
          client.refreshPartitionsAsync().whenComplete((done, error) -> looked(beginNanos));
    }
  }

  /** Where a node is silent, to ask takes longer than the pause, and is done again at once. */
  private void looked(long beginNanos) {
    long pause = SHORTEST.toNanos() - (System.nanoTime() - beginNanos);
    later(() -> looking.set(false), Duration.ofNanos(Math.max(0, pause)));
  }

  private void connect(long attempt) {
    var unused =
        client
            .refreshPartitionsAsync()
            .thenCompose(found -> client.connectAsync(StringCodec.ASCII))
            .thenCompose(ClusterLink::withPrimaries)
            .whenComplete(
                (made, error) -> {
                  if (made != null) {
                    connected(made);
                  } else if (!closed) {
                    failed(attempt, error);
                  }
                  attempted();
                });
  }

  /** Lettuce refuses calls to a node that it is not connected to yet, so that is awaited. */
  private static CompletionStage<StatefulRedisClusterConnection<String, String>> withPrimaries(
      StatefulRedisClusterConnection<String, String> made) {
    CompletableFuture<?>[] primaries =
        primaries(made)
            .map(node -> connection(made, node.getUri()).handle((it, error) -> node))
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(primaries).thenApply(all -> made);
  }

  /** The connection by which Lettuce sends calls for the slots of a primary. */
  private static CompletableFuture<StatefulRedisConnection<String, String>> connection(
      StatefulRedisClusterConnection<String, String> by, RedisURI primary) {
    return by.getConnectionAsync(primary.getHost(), primary.getPort());
  }

  private static Stream<RedisClusterNode> primaries(
      StatefulRedisClusterConnection<String, String> by) {
    return by.getPartitions().stream()
        .filter(node -> node.getRole().isUpstream() && !node.getSlots().isEmpty());
  }

  private void failed(long attempt, @Nullable Throwable error) {
    if (attempt == 1) {
      LOG.warn(
          "Redis at {} cannot be reached: {}. Trying again until it can.", address, root(error));
    }
    later(() -> connect(attempt + 1), backoff.createDelay(attempt));
  }

  private void connected(StatefulRedisClusterConnection<String, String> made) {
    connection = made;
    if (closed) {
      var unused = made.closeAsync();
      return;
    }
    LOG.info("Connected to Redis at {}.", address);
    changed();
  }

  /** Gives new primaries the scripts, and forgets those that are gone. */
  private void changed() {
    StatefulRedisClusterConnection<String, String> current = connection;
    if (current == null) {
      return;
    }
    Set<Node> primaries =
        primaries(current).map(ClusterLink::node).collect(Collectors.toUnmodifiableSet());
    for (Node primary : primaries) {
      nodes.put(primary.id, primary);
      if (supplied.add(primary)) {
        loadScripts(current, primary);
      }
    }
    nodes.values().retainAll(primaries);
    supplied.retainAll(primaries);
    listeners.forEach(listener -> listener.accept(primaries));
  }

  private void loadScripts(StatefulRedisClusterConnection<String, String> by, Node primary) {
    RedisClusterNode known = by.getPartitions().getPartitionByNodeId(primary.id);
    if (known != null) {
      var unused = connection(by, known.getUri()).thenCompose(node -> load(scripts, node.async()));
    }
  }

  private static Node node(RedisClusterNode node) {
    return new Node(node.getNodeId(), node.getUri().getHost() + ":" + node.getUri().getPort());
  }

  /** Tells of each connection once when it comes, and once when it goes. */
  private final class Connections implements RedisConnectionStateListener {
    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress remote) {
      observer().opened();
      for (Node node : nodes.values()) {
        if (isAt(remote, node.address)) {
          answers(node.address);
        }
      }
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
      observer().closed();
    }
  }

  @Override
  public void close() {
    closed = true;
    client.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
