package dev.sluice;

import dev.sluice.bucket.BucketStore;
import dev.sluice.local.DenyCache;
import dev.sluice.local.LeaseSize;
import dev.sluice.local.Leases;
import dev.sluice.settings.LocalCatalogue;
import dev.sluice.settings.Settings;
import dev.sluice.telemetry.LocalTelemetry;
import dev.sluice.transport.EventLoops;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;

/**
 * What spares the stores calls: denials that are known, and units that were taken in advance.
 *
 * <p>Closing it gives back what it holds; the stores have to be open then.
 */
final class Sparing implements AutoCloseable {
  private static final int MOST_LEASES = 100_000;
  private static final long GIVING_BACK_MILLIS = 500;

  private final Settings settings;
  private final EventLoops loops;
  private final LocalTelemetry telemetry;
  private Runnable giveBack = () -> {};

  Sparing(Settings settings, EventLoops loops, LocalTelemetry telemetry) {
    this.settings = settings;
    this.loops = loops;
    this.telemetry = telemetry;
  }

  /**
   * The store of one node, which is not asked again about what it has denied.
   *
   * @param name what it is called in metrics, until it is forgotten
   */
  BucketStore denialsOf(String name, BucketStore node) {
    int size = settings.get(LocalCatalogue.DENY_CACHE_SIZE);
    boolean paces = settings.get(LocalCatalogue.PACING).equals("on");
    if (size == 0) {
      return node;
    }
    DenyCache denials = new DenyCache(node, System::nanoTime, size, paces, telemetry);
    telemetry.watch(name, denials::size);
    return denials;
  }

  /** Takes a node that is gone out of the metrics. */
  void forget(String name) {
    telemetry.forget(name);
  }

  /**
   * The store of all buckets, with units taken in advance where the settings say so.
   *
   * @param replicas that share the buckets, at any time
   */
  BucketStore inAdvanceOf(BucketStore store, IntSupplier replicas) {
    if (settings.get(LocalCatalogue.LEASES).equals("off")) {
      return store;
    }
    LeaseSize size = new LeaseSize(settings.get(LocalCatalogue.LEASE_PERCENT), replicas);
    Leases leases = new Leases(store, System::nanoTime, size, MOST_LEASES, telemetry);
    Future<?> ticking =
        loops.group().scheduleWithFixedDelay(leases::giveBackEnded, 1, 1, TimeUnit.SECONDS);
    giveBack =
        () -> {
          ticking.cancel(false);
          await(leases);
        };
    return leases;
  }

  private static void await(Leases leases) {
    try {
      leases.giveBackAll().toCompletableFuture().get(GIVING_BACK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // What did not get back drains like any unit that was spent.
    }
  }

  @Override
  public void close() {
    giveBack.run();
  }
}
