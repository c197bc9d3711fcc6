package dev.sluice.local;

import dev.sluice.bucket.BucketKey;
import dev.sluice.limit.Balance;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Micros;
import dev.sluice.limit.Verdict;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What this process holds of one bucket, and how much of it is asked for.
 *
 * <p>Units come in batches, each with an end of its own; the older one is spent first. All state is
 * guarded by the lock; every method but {@link #key} and {@link #order} is called with it held.
 * Whoever locks several leases does so in their order.
 */
final class Lease {
  /**
   * A refill is asked for when no more than this part of the last grant is left: one in so many.
   */
  private static final int WATERMARK = 5;

  private static final long NANOS_PER_MICRO = 1_000;

  private final BucketKey key;
  private final long order;
  private final ReentrantLock lock = new ReentrantLock();
  private final Demand demand;
  private final Recall recall;

  private Limit limit;
  private @Nullable Batch older;
  private @Nullable Batch younger;
  private long lastGrant;
  private long promised;
  private boolean asking;
  private boolean retired;
  private long restsUntilNanos;
  private Micros backlog = Micros.ZERO;
  private long toldNanos;

  /** Takes units that are not to be spent any more. Called with the lock held. */
  interface Recall {
    /** The batch's units go back to the bucket as soon as possible. */
    void early(Lease lease, Batch batch);
  }

  Lease(BucketKey key, long order, Limit limit, long nowNanos, Recall recall) {
    this.key = key;
    this.order = order;
    this.limit = limit;
    this.recall = recall;
    this.demand = new Demand(nowNanos);
    this.restsUntilNanos = nowNanos;
  }

  BucketKey key() {
    return key;
  }

  /** Its place among all leases; no two have the same. */
  long order() {
    return order;
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  Limit limit() {
    return limit;
  }

  /** Counts units that are asked for, by a limit; units that were granted by another one go. */
  void count(Limit by, long units, long nowNanos) {
    demand.count(units, nowNanos);
    if (!limit.equals(by)) {
      limit = by;
      drop();
      // Where requests bring limits of their own, they may change all the time.
      restsUntilNanos = nowNanos + Batch.LIFE_NANOS;
    }
  }

  /** Sets units aside for a charge by this limit; tells whether there are so many. */
  boolean promise(Limit by, long units, long nowNanos) {
    if (!limit.equals(by) || held(nowNanos) - promised < units) {
      return false;
    }
    promised += units;
    return true;
  }

  /** Forgets what was set aside. */
  void release() {
    promised = 0;
  }

  /** Spends units that were promised; what was promised beyond that stays so. */
  Verdict spend(long units, long nowNanos) {
    promised -= units;
    long fromOlder = older == null ? 0 : older.spend(units, nowNanos);
    if (younger != null && fromOlder < units) {
      var unused = younger.spend(units - fromOlder, nowNanos);
    }
    return new Verdict.Allowed(units, balance(nowNanos));
  }

  /**
   * How many units to ask for, so that no more than that many are held; 0 if none now. Whoever asks
   * must tell what came of it.
   *
   * @param missed units that were asked for here and were not there; 0 if they were
   */
  long ask(long most, long missed, long nowNanos) {
    if (asking || retired || nowNanos - restsUntilNanos < 0) {
      return 0;
    }
    double perLife = demand.perSecond() * Batch.LIFE_NANOS / 1e9;
    long held = held(nowNanos);
    boolean low = missed > 0 || held * WATERMARK <= lastGrant;
    if (!low || perLife < 2) {
      return 0;
    }
    long wanted = Math.min(Math.max(1, (long) (perLife / 2)), most - held);
    if (wanted < 1 || held + wanted < missed) {
      return 0;
    }
    asking = true;
    return wanted;
  }

  /** Units came, and what the bucket held then. They go back where they are of no use any more. */
  void granted(Batch batch, Micros backlogThen, long nowNanos) {
    asking = false;
    if (retired || !limit.equals(batch.limit())) {
      recall.early(this, batch);
      return;
    }
    if (older != null) {
      recall.early(this, older);
    }
    older = younger;
    younger = batch;
    lastGrant = batch.spendable(nowNanos);
    backlog = backlogThen;
    toldNanos = nowNanos;
  }

  /** Nothing is asked for until then. */
  void rest(long untilNanos) {
    asking = false;
    restsUntilNanos = Math.max(restsUntilNanos, untilNanos);
  }

  /** No units are held or asked for any more. */
  void retire() {
    retired = true;
    drop();
  }

  /** How many units may be spent now. */
  long held(long nowNanos) {
    return (older == null ? 0 : older.spendable(nowNanos))
        + (younger == null ? 0 : younger.spendable(nowNanos));
  }

  private void drop() {
    if (older != null) {
      recall.early(this, older);
    }
    if (younger != null) {
      recall.early(this, younger);
    }
    older = null;
    younger = null;
    lastGrant = 0;
  }

  /** The bucket as it was told last, drained since then, and with what is held put back. */
  private Balance balance(long nowNanos) {
    long drained = Math.max(0, nowNanos - toldNanos) / NANOS_PER_MICRO;
    long denominator = limit.interval().denominator();
    Micros now = backlog.minus(new Micros(drained, 0), denominator);
    Micros held = limit.interval().times(held(nowNanos));
    return Balance.of(limit, now.minus(held, denominator));
  }
}
