package dev.sluice.local;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.limit.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Charges that are decided from their leases, all or none. Not thread-safe; used once.
 *
 * <p>It holds the locks of all its leases while it decides, and takes them in the order of the
 * leases, so none waits for another in a circle. A bucket may come several times.
 */
final class Group {
  private final List<BucketCharge> charges;
  private final long nowNanos;
  private final List<Lease> leases;
  private final List<Lease> locks;
  private final Map<Integer, Long> asks = new HashMap<>();

  Group(List<BucketCharge> charges, Function<BucketCharge, Lease> leaseOf, long nowNanos) {
    this.charges = charges;
    this.nowNanos = nowNanos;
    this.leases = charges.stream().map(leaseOf).toList();
    this.locks = leases.stream().sorted(Comparator.comparingLong(Lease::order)).distinct().toList();
  }

  /** The verdicts, all of them spent here; nothing where one bucket lacks units. */
  @Nullable List<Verdict> decide(LeaseSize size) {
    locks.forEach(Lease::lock);
    try {
      boolean all = promise();
      List<Verdict> verdicts = all ? spend() : null;
      leases.forEach(Lease::release);
      ask(size, all);
      return verdicts;
    } finally {
      locks.forEach(Lease::unlock);
    }
  }

  /** Units to ask for, by the place of the charge in the group. */
  Map<Integer, Long> asks() {
    return asks;
  }

  Lease lease(int index) {
    return leases.get(index);
  }

  /** How many units it is about. */
  long units() {
    return charges.stream().mapToLong(charge -> charge.charge().units()).sum();
  }

  private boolean promise() {
    boolean all = true;
    for (int i = 0; i < leases.size(); i++) {
      BucketCharge charge = charges.get(i);
      leases.get(i).count(charge.limit(), charge.charge().units(), nowNanos);
      all &= leases.get(i).promise(charge.limit(), charge.charge().units(), nowNanos);
    }
    return all;
  }

  private List<Verdict> spend() {
    List<Verdict> verdicts = new ArrayList<>(leases.size());
    for (int i = 0; i < leases.size(); i++) {
      verdicts.add(leases.get(i).spend(charges.get(i).charge().units(), nowNanos));
    }
    return verdicts;
  }

  private void ask(LeaseSize size, boolean spent) {
    for (int i = 0; i < leases.size(); i++) {
      BucketCharge charge = charges.get(i);
      long missed = spent ? 0 : charge.charge().units();
      boolean missing = !spent && leases.get(i).held(nowNanos) < missed;
      long ask = leases.get(i).ask(size.most(charge.limit()), missing ? missed : 0, nowNanos);
      if (ask > 0) {
        asks.put(i, ask);
      }
    }
  }
}
