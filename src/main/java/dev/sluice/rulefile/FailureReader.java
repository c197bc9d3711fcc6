package dev.sluice.rulefile;

import dev.sluice.bucket.Terms.OnFailure;
import java.util.Optional;

/** Reads who decides when the store of buckets does not. */
final class FailureReader {
  static final String KEY = "on_backend_failure";
  private static final Words<OnFailure> WORDS = new Words<>(OnFailure.class, "policy");

  private FailureReader() {}

  /** What a mapping says; nothing where it says nothing, or something else. */
  static Optional<Said<OnFailure>> read(Mapping mapping) {
    return WORDS
        .read(mapping, KEY)
        .flatMap(
            policy -> mapping.get(KEY).map(it -> new Said<>(policy, mapping.reading().place(it))));
  }
}
