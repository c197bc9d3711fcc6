package dev.sluice.bucket;

import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;

/**
 * One charge on one bucket, as a member of a group that is decided together.
 *
 * @param key of the bucket
 * @param limit that the bucket is held to
 * @param charge what is asked
 * @param veto when the group is denied because this charge does not conform; a charge that does not
 *     conform is not taken even where the group is allowed
 * @param terms what its rule says beyond the limit
 */
public record BucketCharge(BucketKey key, Limit limit, Charge charge, Veto veto, Terms terms) {
  /** A charge on the terms that hold where a rule says nothing. */
  public BucketCharge(BucketKey key, Limit limit, Charge charge, Veto veto) {
    this(key, limit, charge, veto, Terms.STANDARD);
  }

  /** The same charge, for a bucket that is held to another limit. */
  public BucketCharge heldTo(Limit other) {
    return new BucketCharge(key, other, charge, veto, terms);
  }

  /** Another charge on the same bucket, with another say in the verdict on its group. */
  public BucketCharge asking(Charge other, Veto say) {
    return other == charge && say == veto ? this : new BucketCharge(key, limit, other, say, terms);
  }

  /** The same charge on other terms. */
  public BucketCharge on(Terms others) {
    return new BucketCharge(key, limit, charge, veto, others);
  }

  /** When a charge that does not conform denies its group. */
  public enum Veto {
    /** Always. */
    ALONE,
    /** If no other charge of this kind in the group conforms either. */
    TOGETHER,
    /** Never. */
    NEVER
  }
}
