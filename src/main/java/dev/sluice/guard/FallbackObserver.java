package dev.sluice.guard;

import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Terms.OnFailure;

/**
 * Sees when a store is stood in for. Its methods are called on any thread and must not block or
 * throw.
 */
public interface FallbackObserver extends OutageObserver {
  /** What became of a group of charges. */
  enum Outcome {
    ALLOWED,
    DENIED,
    /** Its caller was told that there is no decision. */
    FAILED
  }

  /** A group of charges was decided without its store, by the strictest policy in it. */
  void stoodIn(Reason reason, OnFailure policy, Outcome outcome);
}
