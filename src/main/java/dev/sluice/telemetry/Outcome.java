package dev.sluice.telemetry;

import dev.sluice.decision.Hits;
import dev.sluice.decision.Status;

/** What became of a descriptor, in one word. */
enum Outcome {
  WITHIN_LIMIT,
  OVER_LIMIT,
  /** It is over the limit and passes all the same. */
  SHADOWED,
  UNLIMITED,
  UNMATCHED;

  static Outcome of(Status status) {
    if (status instanceof Status.Unmatched) {
      return UNMATCHED;
    }
    if (status instanceof Status.Unlimited) {
      return UNLIMITED;
    }
    if (!status.isOk()) {
      return OVER_LIMIT;
    }
    return isShadowed(status) ? SHADOWED : WITHIN_LIMIT;
  }

  /** Whether it passes only because its rule is watched; units may be given back to any rule. */
  private static boolean isShadowed(Status status) {
    if (status instanceof Status.Blocked blocked) {
      return blocked.match().rule().conduct().shadow()
          && !(blocked.hits() instanceof Hits.Returned);
    }
    return status instanceof Status.Decided decided && !decided.verdict().conforms();
  }

  /** What it is called in a label. */
  String label() {
    return Metrics.word(this);
  }
}
