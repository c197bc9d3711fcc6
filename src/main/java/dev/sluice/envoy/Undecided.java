package dev.sluice.envoy;

import dev.sluice.bucket.BucketStoreException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are not decided because a rule leaves that to the caller. It is an answer, and no
 * fault of ours.
 */
final class Undecided {
  private Undecided() {}

  /** What to tell the caller; nothing where the failure is another one. */
  static Optional<String> reason(@Nullable Throwable failure) {
    return failure != null
            && BucketStoreException.unwrapped(failure) instanceof BucketStoreException undecided
        ? Optional.of("the store of buckets did not decide: " + undecided.getMessage())
        : Optional.empty();
  }
}
