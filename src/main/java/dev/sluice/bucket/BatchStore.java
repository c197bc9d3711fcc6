package dev.sluice.bucket;

import dev.sluice.limit.Verdict;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A store that decides several groups of charges in one go.
 *
 * <p>The groups are decided in their order, as if each had been given to {@link BucketStore} alone
 * and the next one after it. What holds for threads, blocking and failure there holds here; when
 * the stage fails, it fails for all of them.
 */
public interface BatchStore {
  /** Decides the groups, with one list of verdicts for each. */
  CompletionStage<List<List<Verdict>>> decideAll(List<List<BucketCharge>> groups);
}
