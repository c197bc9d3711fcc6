package dev.sluice;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.guard.Homes;
import dev.sluice.redis.ClusterLink;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The homes of buckets in a Redis Cluster: a part for each slot, and a store for each primary.
 *
 * <p>A store is made when its primary is first asked, and forgotten when the primary has left or
 * has no slots any more. Thread-safe.
 */
final class ClusterHomes implements Homes {
  private final ClusterLink link;
  private final String keyPrefix;
  private final Function<ClusterLink.Node, BucketStore> before;
  private final Consumer<String> gone;
  private final Map<ClusterLink.Node, BucketStore> stores = new ConcurrentHashMap<>();
  private final BucketStore nobody;

  /**
   * The homes at the end of a link.
   *
   * @param before makes the store of a primary, with all that stands before it
   * @param gone is told the address of a primary that has left
   */
  ClusterHomes(
      ClusterLink link,
      String keyPrefix,
      Function<ClusterLink.Node, BucketStore> before,
      Consumer<String> gone) {
    this.link = link;
    this.keyPrefix = keyPrefix;
    this.before = before;
    this.gone = gone;
    nobody =
        (charges, deadline) -> {
          link.look();
          return CompletableFuture.failedFuture(
              new BucketStoreException(Reason.CLUSTER_DOWN, "no node of the cluster has the slot"));
        };
    link.onChange(this::keep);
  }

  @Override
  public int part(BucketCharge charge) {
    return link.slot(keyPrefix, charge.key());
  }

  @Override
  public BucketStore store(int part) {
    ClusterLink.Node primary = link.primary(part);
    if (primary == null) {
      return nobody;
    }
    BucketStore store = stores.get(primary);
    return store == null ? stores.computeIfAbsent(primary, this::made) : store;
  }

  private BucketStore made(ClusterLink.Node primary) {
    BucketStore store = before.apply(primary);
    return (charges, deadline) ->
        store
            .decide(charges, deadline)
            .whenComplete(
                (verdicts, error) -> {
                  if (error != null) {
                    link.look();
                  }
                });
  }

  private void keep(Set<ClusterLink.Node> primaries) {
    Set<ClusterLink.Node> left = new HashSet<>(stores.keySet());
    left.removeAll(primaries);
    stores.keySet().removeAll(left);
    // A node that comes back under another id has the address of the one that it was.
    left.stream()
        .map(ClusterLink.Node::address)
        .filter(address -> primaries.stream().noneMatch(it -> it.address().equals(address)))
        .forEach(gone);
  }
}
