package dev.sluice;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.guard.Homes;
import dev.sluice.limit.Period;

/**
 * The homes of buckets where rules whose unit is a second have a Redis of their own: its parts have
 * odd numbers. Thread-safe.
 *
 * @param second the homes of those rules
 * @param other the homes of all other rules
 */
record PerSecondHomes(Homes second, Homes other) implements Homes {
  @Override
  public int part(BucketCharge charge) {
    return charge.limit().period() == Period.SECOND
        ? second.part(charge) * 2 + 1
        : other.part(charge) * 2;
  }

  @Override
  public BucketStore store(int part) {
    return (part & 1) == 1 ? second.store(part >> 1) : other.store(part >> 1);
  }
}
