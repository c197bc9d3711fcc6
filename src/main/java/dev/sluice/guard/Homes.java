package dev.sluice.guard;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;

/**
 * Where buckets live, when not all of them live together.
 *
 * <p>Charges on the same part are decided as one group; a part lives in one store at a time, and
 * several may live in the same one. Called for every charge, on any thread: it must be cheap and
 * must not block.
 */
public interface Homes {
  /** The part that a charge belongs to. It depends on nothing but the charge. */
  int part(BucketCharge charge);

  /** The store that the part lives in now. */
  BucketStore store(int part);
}
