package dev.sluice;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.guard.Homes;

/** The one home of all buckets. */
record OneHome(BucketStore store) implements Homes {
  @Override
  public int part(BucketCharge charge) {
    return 0;
  }

  @Override
  public BucketStore store(int part) {
    return store;
  }
}
