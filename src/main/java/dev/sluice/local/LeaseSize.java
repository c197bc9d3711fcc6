package dev.sluice.local;

import dev.sluice.limit.Limit;
import java.util.function.IntSupplier;

/**
 * How many units of a bucket may be held in advance, so that all replicas together never hold more
 * than a part of its burst: that part, divided by the number of replicas.
 *
 * <p>Over any interval, requests go beyond the strict limit by at most what is held at its begin
 * (RATIONALE.md, "Leases"), so that part is the bound of both over- and under-admission.
 *
 * @param percent of a burst that all replicas may hold together, from 1 to 100
 * @param replicas that share the buckets now, at least 1
 */
public record LeaseSize(int percent, IntSupplier replicas) {
  private static final long WHOLE = 100;

  public LeaseSize {
    if (percent < 1 || percent > WHOLE) {
      throw new IllegalArgumentException(percent + " per cent (expected from 1 to 100)");
    }
  }

  /** The most units that this process may hold of a bucket. Rounded down. */
  long most(Limit limit) {
    return limit.burst() * percent / (WHOLE * Math.max(1, replicas.getAsInt()));
  }
}
