package dev.sluice.bucket;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.sluice.limit.BucketState;
import dev.sluice.limit.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Buckets of this process alone.
 *
 * <p>Memory is bounded: a bucket that is full again goes, and beyond the maximum the ones least in
 * use go, which is as if they were full. Thread-safe: a lock of a fixed set guards the buckets
 * whose names fall to it, and a group takes its locks in the order of that set. Every stage is
 * complete when it is returned.
 */
public final class InMemoryBucketStore implements BucketStore, BatchStore {
  private static final int STRIPES = 64;

  /**
   * Knows of buckets from elsewhere. Thread-safe; quick, since locks are held while it is asked.
   */
  public interface Source {
    /** Knows of none. */
    Source NONE = (charge, nowMicros) -> Optional.empty();

    /** The state of the charge's bucket in terms of its limit, as far as it is known. */
    Optional<BucketState> state(BucketCharge charge, long nowMicros);
  }

  private final InstantSource clock;
  private final Source source;
  private final Cache<BucketKey, BucketState> buckets;
  private final ReentrantLock[] locks = new ReentrantLock[STRIPES];

  /**
   * A store without buckets, and without any other source of them.
   *
   * @param clock which time it is
   * @param ticker nanoseconds that pass, for letting go of full buckets
   * @param maximum how many buckets are kept, at least 1
   */
  public InMemoryBucketStore(InstantSource clock, Ticker ticker, long maximum) {
    this(clock, ticker, maximum, Source.NONE);
  }

  /**
   * A store without buckets.
   *
   * @param source is asked for each bucket too: the state that is full later counts
   */
  public InMemoryBucketStore(InstantSource clock, Ticker ticker, long maximum, Source source) {
    this.clock = clock;
    this.source = source;
    this.buckets =
        Caffeine.newBuilder()
            .maximumSize(maximum)
            .executor(Runnable::run)
            .ticker(ticker)
            .expireAfter(Expiry.<BucketKey, BucketState>writing((key, state) -> untilFull(state)))
            .build();
    Arrays.setAll(locks, i -> new ReentrantLock());
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    return CompletableFuture.completedFuture(decideNow(charges));
  }

  private List<Verdict> decideNow(List<BucketCharge> charges) {
    int[] stripes =
        charges.stream().mapToInt(charge -> stripe(charge.key())).sorted().distinct().toArray();
    for (int stripe : stripes) {
      locks[stripe].lock();
    }
    try {
      return settle(charges);
    } finally {
      for (int stripe : stripes) {
        locks[stripe].unlock();
      }
    }
  }

  @Override
  public CompletionStage<List<Outcome>> decideAll(List<List<BucketCharge>> groups) {
    List<Outcome> outcomes = new ArrayList<>(groups.size());
    for (List<BucketCharge> group : groups) {
      outcomes.add(new Outcome.Decided(decideNow(group)));
    }
    return CompletableFuture.completedFuture(outcomes);
  }

  /** How many buckets are kept now, about. */
  public long size() {
    buckets.cleanUp();
    return buckets.estimatedSize();
  }

  private List<Verdict> settle(List<BucketCharge> charges) {
    long now = micros(clock.instant());
    Ledger ledger = new Ledger(charges, now, charge -> state(charge, now));
    List<Verdict> verdicts = ledger.settle();
    ledger.states().forEach(this::write);
    return verdicts;
  }

  private Optional<BucketState> state(BucketCharge charge, long nowMicros) {
    Optional<BucketState> elsewhere = source.state(charge, nowMicros);
    BucketState here = buckets.getIfPresent(charge.key());
    if (here == null) {
      return elsewhere;
    }
    return elsewhere
        .filter(it -> it.theoreticalArrivalMicros() > here.theoreticalArrivalMicros())
        .or(() -> Optional.of(here));
  }

  private void write(BucketKey key, Optional<BucketState> state) {
    state.ifPresentOrElse(it -> buckets.put(key, it), () -> buckets.invalidate(key));
  }

  private Duration untilFull(BucketState state) {
    long micros = state.theoreticalArrivalMicros() + 1 - micros(clock.instant());
    return Duration.ofNanos(Math.max(0, micros) * 1_000);
  }

  private static int stripe(BucketKey key) {
    int hash = key.hashCode();
    return (hash ^ (hash >>> 16)) & (STRIPES - 1);
  }

  private static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }
}
