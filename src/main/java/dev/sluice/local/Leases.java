package dev.sluice.local;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.Terms;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Verdict;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store of which units are taken in advance, and spent here without asking it.
 *
 * <p>Only questions are decided here, and only where units for all charges of the group are held;
 * everything else is asked as if there were no leases. Units are taken in advance only where so
 * many are asked for that it spares calls, in the background, a fifth of what is left at most, and
 * never more than {@link LeaseSize} allows; that is the bound of over-admission. Those that are not
 * spent within two seconds go back. RATIONALE.md, "Leases", has the reasons and the proof.
 *
 * <p>While the store fails, what is held is still spent; no stand-in may grant more, so refills
 * carry terms that forbid it. Thread-safe: locks are of single buckets and short, and nothing is
 * asked under one.
 */
public final class Leases implements BucketStore {
  /** Of what is left a refill takes one in so many. */
  private static final long SHARE = 5;

  /** How long nothing is asked for after the store has failed. */
  private static final long REST_NANOS = 250_000_000;

  private static final long NANOS_PER_MICRO = 1_000;

  private final BucketStore store;
  private final LongSupplier ticker;
  private final LeaseSize size;
  private final LeaseObserver observer;
  private final Returns returns;
  private final Cache<BucketKey, Lease> leases;
  private final AtomicLong order = new AtomicLong();
  private final Set<CompletionStage<?>> refills = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * A store with leases.
   *
   * @param store must honour {@link Terms.OnFailure#ERROR}
   * @param ticker nanoseconds that pass, whatever is done to the clock
   * @param maximum of buckets that are observed at a time, at least 1
   */
  public Leases(
      BucketStore store,
      LongSupplier ticker,
      LeaseSize size,
      long maximum,
      LeaseObserver observer) {
    this.store = store;
    this.ticker = ticker;
    this.size = size;
    this.observer = observer;
    this.returns = new Returns(store, observer);
    this.leases =
        Caffeine.newBuilder()
            .maximumSize(maximum)
            .executor(Runnable::run)
            .<BucketKey, Lease>removalListener((key, lease, cause) -> retire(lease))
            .build();
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    if (closed || charges.isEmpty() || !leasable(charges)) {
      return store.decide(charges, deadline);
    }
    return charges.size() == 1
        ? one(charges.get(0), charges, deadline)
        : several(charges, deadline);
  }

  /** Gives back what has not been spent in its time. To be called about once a second. */
  public void giveBackEnded() {
    var unused = returns.giveEnded(ticker.getAsLong());
  }

  /**
   * Gives back everything, and asks for no more; the store itself goes on. Completes, always well,
   * when all is back or known to be lost.
   */
  public CompletionStage<Void> giveBackAll() {
    closed = true;
    leases.asMap().values().forEach(Leases::retire);
    CompletableFuture<?>[] open =
        refills.stream()
            .map(CompletionStage::toCompletableFuture)
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(open)
        .handle((nothing, error) -> error == null)
        .thenCompose(done -> returns.giveAll());
  }

  private CompletionStage<List<Verdict>> one(
      BucketCharge charge, List<BucketCharge> group, Deadline deadline) {
    long now = ticker.getAsLong();
    long units = charge.charge().units();
    Lease lease = lease(charge, now);
    Verdict verdict = null;
    lease.lock();
    long ask;
    try {
      lease.count(charge.limit(), units, now);
      if (lease.promise(charge.limit(), units, now)) {
        verdict = lease.spend(units, now);
      }
      ask = lease.ask(size.most(charge.limit()), verdict == null ? units : 0, now);
    } finally {
      lease.unlock();
    }
    CompletionStage<List<Verdict>> answer =
        verdict != null
            ? spent(List.of(verdict), units)
            : store.decide(group, deadline).thenApply(it -> lookedAgain(lease, charge, it));
    refill(lease, charge, ask, now);
    return answer;
  }

  /** What the store denied may be here by now, since it was taken in advance meanwhile. */
  private List<Verdict> lookedAgain(Lease lease, BucketCharge charge, List<Verdict> verdicts) {
    if (verdicts.get(0).conforms()) {
      return verdicts;
    }
    long now = ticker.getAsLong();
    long units = charge.charge().units();
    lease.lock();
    try {
      if (!lease.promise(charge.limit(), units, now)) {
        return verdicts;
      }
      observer.spent(1, units);
      return List.of(lease.spend(units, now));
    } finally {
      lease.unlock();
    }
  }

  private CompletionStage<List<Verdict>> several(List<BucketCharge> charges, Deadline deadline) {
    long now = ticker.getAsLong();
    Group group = new Group(charges, it -> lease(it, now), now);
    List<Verdict> verdicts = group.decide(size);
    CompletionStage<List<Verdict>> answer =
        verdicts != null ? spent(verdicts, group.units()) : store.decide(charges, deadline);
    group.asks().forEach((index, ask) -> refill(group.lease(index), charges.get(index), ask, now));
    return answer;
  }

  private CompletionStage<List<Verdict>> spent(List<Verdict> verdicts, long units) {
    observer.spent(verdicts.size(), units);
    return CompletableFuture.completedFuture(verdicts);
  }

  private boolean leasable(List<BucketCharge> charges) {
    for (BucketCharge charge : charges) {
      if (!(charge.charge() instanceof Charge.Take take) || !charge.terms().leasable()) {
        return false;
      }
      long most = size.most(charge.limit());
      if (most < 2 || take.units() > most) {
        return false;
      }
    }
    return true;
  }

  private Lease lease(BucketCharge charge, long now) {
    Lease known = leases.getIfPresent(charge.key());
    return known != null
        ? known
        : leases.get(
            charge.key(),
            key -> new Lease(key, order.incrementAndGet(), charge.limit(), now, returns));
  }

  private static void retire(@Nullable Lease lease) {
    if (lease != null) {
      lease.lock();
      lease.retire();
      lease.unlock();
    }
  }

  private void refill(Lease lease, BucketCharge charge, long units, long asked) {
    if (units == 0 || closed) {
      return;
    }
    Terms terms =
        new Terms(Terms.OnFailure.ERROR, charge.terms().priority(), charge.terms().leasable());
    BucketCharge upTo =
        charge.asking(new Charge.UpTo(units, SHARE), BucketCharge.Veto.ALONE).on(terms);
    CompletionStage<?> refill =
        store
            .decide(List.of(upTo), Deadline.NONE)
            .handle(
                (verdicts, error) -> {
                  refilled(lease, upTo, verdicts == null ? null : verdicts.get(0), asked);
                  if (closed) {
                    var unused = returns.giveAll();
                  }
                  return verdicts;
                });
    refills.add(refill);
    var unused = refill.whenComplete((verdicts, error) -> refills.remove(refill));
  }

  /** What came of asking; a reply that never came is one that granted nothing. */
  private void refilled(Lease lease, BucketCharge upTo, @Nullable Verdict verdict, long asked) {
    long now = ticker.getAsLong();
    Limit limit = upTo.limit();
    lease.lock();
    try {
      if (!(verdict instanceof Verdict.Allowed allowed)) {
        lease.rest(now + rest(verdict, limit));
        return;
      }
      Batch batch = new Batch(limit, allowed.granted(), asked);
      returns.granted(lease, batch);
      lease.granted(batch, allowed.balance().resetAfter(), now);
      observer.granted(allowed.granted(), (double) lease.held(now) / limit.burst());
      if (allowed.granted() < upTo.charge().units()) {
        lease.rest(now + Pace.nanos(limit));
      }
    } finally {
      lease.unlock();
    }
  }

  private static long rest(@Nullable Verdict verdict, Limit limit) {
    if (verdict instanceof Verdict.Denied denied) {
      long longest = Denial.LONGEST.toNanos() / NANOS_PER_MICRO;
      long retry = Math.min(denied.retryAfterMicros(), longest) * NANOS_PER_MICRO;
      return Math.max(retry, Pace.nanos(limit));
    }
    return REST_NANOS;
  }
}
