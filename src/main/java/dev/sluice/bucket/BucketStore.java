package dev.sluice.bucket;

import dev.sluice.limit.Verdict;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Where buckets are kept and charges are decided.
 *
 * <p>The charges of one call are one group, all or nothing: unless every enforced charge conforms,
 * nothing is taken from any bucket. {@code Force} and {@code Give} report what has happened
 * already, so they are carried out either way. Charges are judged in order, and one that names the
 * same bucket as an earlier one sees what that one took. Charges that are denied leave no trace.
 *
 * <p>The call never blocks and may be made from any thread; the stage completes on any thread, with
 * one verdict for each charge in their order. After the deadline nobody listens any more; a store
 * may then fail the stage, and it may do so before. A stage that fails says nothing about whether
 * the charges were carried out: they may be, or may still be later, so the caller must neither
 * repeat them nor give them back.
 */
public interface BucketStore {
  /** Decides a group of charges; an empty group is allowed. */
  CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline);

  /** Decides a group of charges for somebody who has time. */
  default CompletionStage<List<Verdict>> decide(List<BucketCharge> charges) {
    return decide(charges, Deadline.NONE);
  }
}
