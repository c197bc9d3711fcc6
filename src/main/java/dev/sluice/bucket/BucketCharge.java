package dev.sluice.bucket;

import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;

/**
 * One charge on one bucket, as a member of a group that is decided together.
 *
 * @param key of the bucket
 * @param limit that the bucket is held to
 * @param charge what is asked
 * @param enforced whether the group fails when this charge does not conform; a charge that is not
 *     enforced is judged, and taken only if it conforms and the group is allowed
 */
public record BucketCharge(BucketKey key, Limit limit, Charge charge, boolean enforced) {}
