package dev.sluice.bucket;

import dev.sluice.limit.Verdict;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A store that decides several groups of charges in one go.
 *
 * <p>The groups are decided in their order, as if each had been given to {@link BucketStore} alone
 * and the next one after it. What holds for threads, blocking and failure there holds here; when
 * the stage fails, it fails for all of them; a group may fail alone too.
 */
public interface BatchStore {
  /** What became of one group. */
  sealed interface Outcome {
    /** It has one verdict for each charge, in their order. */
    record Decided(List<Verdict> verdicts) implements Outcome {}

    /** It was not decided, whatever became of the others. */
    record Failed(BucketStoreException why) implements Outcome {}
  }

  /** Decides the groups, with one outcome for each, in their order. */
  CompletionStage<List<Outcome>> decideAll(List<List<BucketCharge>> groups);
}
