package dev.sluice.rulefile;

import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.rule.Rule;
import java.util.Optional;

/**
 * A rule as its file says it. What it does not say of failures is known once all files of its
 * domain have been read.
 *
 * @param onFailure what it says of failures
 */
record Draft(Rule rule, Optional<OnFailure> onFailure) {
  /** The rule, on these terms where it says nothing. */
  Rule finished(OnFailure standard) {
    return rule.onFailure(onFailure.orElse(standard));
  }
}
