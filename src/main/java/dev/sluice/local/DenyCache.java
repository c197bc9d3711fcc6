package dev.sluice.local;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.Pending;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that is not asked again about what it has just denied.
 *
 * <p>A denial is answered again, with the wait that is left, until the store would allow the
 * charge, but for no longer than a second: then gifts, resets and other replicas' changes are seen.
 * A gift through this store, and a charge by another limit, see the store at once.
 *
 * <p>A group is answered here only if it is known of each of its charges that it does not conform:
 * then nothing is taken, whoever may veto. Where anything else has to be told, of another bucket or
 * of a report, the store is asked.
 *
 * <p>Where it paces, an empty bucket is left alone for a moment even if single units drip in. That
 * denies some requests that the store would have allowed, and lets later ones have those units; it
 * never allows more.
 *
 * <p>Thread-safe and bounded; what it does not know any more, it asks.
 */
public final class DenyCache implements BucketStore {
  private final BucketStore store;
  private final LongSupplier ticker;
  private final boolean paces;
  private final DenyCacheObserver observer;
  private final Cache<BucketKey, Denial> denials;

  /**
   * A store with a memory for denials.
   *
   * @param ticker nanoseconds that pass
   * @param maximum how many denials are kept, at least 1
   * @param paces whether an empty bucket is left alone for a moment
   */
  public DenyCache(
      BucketStore store,
      LongSupplier ticker,
      long maximum,
      boolean paces,
      DenyCacheObserver observer) {
    this.store = store;
    this.ticker = ticker;
    this.paces = paces;
    this.observer = observer;
    this.denials =
        Caffeine.newBuilder()
            .maximumSize(maximum)
            .executor(Runnable::run)
            .ticker(ticker::getAsLong)
            .expireAfterWrite(Denial.LONGEST)
            .evictionListener((key, denial, cause) -> forgotten(cause))
            .build();
  }

  private void forgotten(RemovalCause cause) {
    if (cause == RemovalCause.EXPIRED) {
      observer.expired();
    } else {
      observer.evicted();
    }
  }

  /** How many denials are remembered, but for those that are over. Not for the hot path. */
  public long size() {
    denials.cleanUp();
    return denials.estimatedSize();
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    long now = ticker.getAsLong();
    List<Verdict> known = known(charges, now);
    if (known != null) {
      observer.denied(known.size());
      return CompletableFuture.completedFuture(known);
    }
    observer.asked(charges.size());
    dropGiven(charges);
    return Pending.witnessed(
        store.decide(charges, deadline),
        (verdicts, error) -> {
          if (verdicts != null) {
            learn(charges, verdicts, now);
          }
        });
  }

  /** The verdicts on a group; nothing where the store has to be asked. */
  private @Nullable List<Verdict> known(List<BucketCharge> charges, long now) {
    if (charges.size() == 1) {
      Verdict verdict = known(charges.get(0), now);
      return verdict == null ? null : List.of(verdict);
    }
    List<Verdict> verdicts = new ArrayList<>();
    for (BucketCharge charge : charges) {
      Verdict verdict = known(charge, now);
      if (verdict == null) {
        return null;
      }
      verdicts.add(verdict);
    }
    return verdicts.isEmpty() ? null : verdicts;
  }

  private @Nullable Verdict known(BucketCharge charge, long now) {
    if (charge.charge().reports()) {
      return null;
    }
    Denial denial = denials.getIfPresent(charge.key());
    return denial != null && denial.covers(charge, now)
        ? denial.verdict(charge.charge(), now)
        : null;
  }

  private void learn(List<BucketCharge> charges, List<Verdict> verdicts, long asked) {
    if (verdicts.size() == 1 || conform(verdicts)) {
      for (int i = 0; i < verdicts.size(); i++) {
        learn(charges.get(i), verdicts.get(i), asked);
      }
      return;
    }
    Set<BucketKey> seen = new HashSet<>();
    for (int i = 0; i < verdicts.size(); i++) {
      // A bucket that comes again was judged as if the earlier charge had been taken.
      if (seen.add(charges.get(i).key())) {
        learn(charges.get(i), verdicts.get(i), asked);
      }
    }
    dropGiven(charges);
  }

  private static boolean conform(List<Verdict> verdicts) {
    for (int i = 0; i < verdicts.size(); i++) {
      if (!verdicts.get(i).conforms()) {
        return false;
      }
    }
    return true;
  }

  private void learn(BucketCharge charge, Verdict verdict, long asked) {
    Denial known = denials.getIfPresent(charge.key());
    if (verdict.conforms() || charge.charge().reports()) {
      // What it says of the bucket is not true any more, or was not when it arrived.
      if (known != null) {
        denials.invalidate(charge.key());
      }
      return;
    }
    long now = ticker.getAsLong();
    if (known == null || !known.covers(charge, now)) {
      if (known != null) {
        observer.replaced();
      }
      long pace = paces ? Pace.nanos(charge.limit()) : 0;
      denials.put(charge.key(), Denial.of(charge, verdict, asked, now, pace));
    }
  }

  private void dropGiven(List<BucketCharge> charges) {
    for (BucketCharge charge : charges) {
      if (charge.charge() instanceof Charge.Give) {
        denials.invalidate(charge.key());
      }
    }
  }
}
