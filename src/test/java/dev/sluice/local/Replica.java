package dev.sluice.local;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.Terms;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Verdict;
import dev.sluice.testing.TestClock;
import java.util.List;

/** One process with leases over a shared store, and the account of its units. For one thread. */
final class Replica implements LeaseObserver {
  final Wire wire;
  final Leases leases;

  long granted;
  long spent;
  long calledBack;
  long lost;
  double largestShare;

  Replica(BucketStore shared, TestClock clock, int percent, int replicas, long maximum) {
    wire = new Wire(shared);
    leases =
        new Leases(
            wire,
            () -> clock.ticker().read(),
            new LeaseSize(percent, () -> replicas),
            maximum,
            this);
  }

  static BucketKey key(String name) {
    return BucketKey.in("d").entry("k", name).build();
  }

  static BucketCharge charge(String name, Limit limit, Charge charge) {
    return new BucketCharge(key(name), limit, charge, Veto.ALONE, Terms.STANDARD);
  }

  /** Takes units of the bucket {@code a}. */
  Verdict take(Limit limit, long units) {
    return decide(charge("a", limit, new Charge.Take(units))).get(0);
  }

  /** Whether the units of the bucket {@code a} were taken; not, where nobody decided. */
  boolean takes(Limit limit, long units) {
    return leases
        .decide(List.of(charge("a", limit, new Charge.Take(units))), Deadline.NONE)
        .handle((verdicts, error) -> error == null && verdicts.get(0).conforms())
        .toCompletableFuture()
        .getNow(false);
  }

  List<Verdict> decide(BucketCharge... charges) {
    return leases.decide(List.of(charges), Deadline.NONE).toCompletableFuture().join();
  }

  /** Units that are held, by the account. */
  long held() {
    return granted - spent - calledBack;
  }

  @Override
  public void granted(long units, double share) {
    granted += units;
    largestShare = Math.max(largestShare, share);
  }

  @Override
  public void spent(int charges, long units) {
    spent += units;
  }

  @Override
  public void calledBack(long units) {
    calledBack += units;
  }

  @Override
  public void lost(long units) {
    lost += units;
  }
}
