package dev.sluice.guard;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.limit.BucketState;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Micros;
import dev.sluice.limit.Verdict;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;

/**
 * Buckets of this process that are held to its share of each limit, and begin as their store left
 * them.
 *
 * <p>All servers together admit no more than {@link Limit#share} says while none of them reaches
 * the store. Thread-safe; every stage is complete when it is returned.
 */
public final class LocalShares implements BucketStore {
  /** Nothing is let go of when it begins: what was admitted before it is all that is known. */
  private static final int FIRST_OUTAGE = 1;

  private final Memory memory;
  private final IntSupplier servers;
  private final LastKnown lastKnown;
  private volatile Era era;

  /**
   * What its buckets are kept in.
   *
   * @param clock which time it is
   * @param ticker nanoseconds that pass
   * @param maximum how many buckets are kept, at least 1
   */
  public record Memory(InstantSource clock, Ticker ticker, long maximum) {}

  /**
   * Shares without buckets.
   *
   * @param servers how many share the limits, this one included; at least 1
   * @param lastKnown what the store said last
   */
  public LocalShares(Memory memory, IntSupplier servers, LastKnown lastKnown) {
    this.memory = memory;
    this.servers = servers;
    this.lastKnown = lastKnown;
    era = new Era(FIRST_OUTAGE, empty());
  }

  /**
   * Lets go of the buckets of earlier outages: what was admitted then is of no importance any more.
   * Every caller of an outage says its number before it asks, so none loses what another one took.
   */
  void during(int outage) {
    if (era.outage < outage) {
      renew(outage);
    }
  }

  private synchronized void renew(int outage) {
    if (era.outage < outage) {
      era = new Era(outage, empty());
    }
  }

  private InMemoryBucketStore empty() {
    return new InMemoryBucketStore(memory.clock, memory.ticker, memory.maximum, this::known);
  }

  /**
   * The state of a bucket as the store knew it. What is left of the whole bucket is shared like the
   * limit: a backlog is a time, and that is the same for the whole and for each part.
   */
  private Optional<BucketState> known(BucketCharge charge, long nowMicros) {
    long backlog = lastKnown.backlogMicros(charge.key());
    return backlog == 0
        ? Optional.empty()
        : Optional.of(BucketState.at(nowMicros, new Micros(backlog, 0), charge.limit()));
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    int among = Math.max(1, Math.min(servers.getAsInt(), Limit.MAX_SERVERS));
    List<BucketCharge> shares = new ArrayList<>(charges.size());
    for (BucketCharge charge : charges) {
      shares.add(charge.heldTo(charge.limit().share(among)));
    }
    return era.buckets.decide(shares, deadline);
  }

  /** The buckets of one outage. */
  private record Era(int outage, InMemoryBucketStore buckets) {}
}
