package dev.sluice.envoy;

import dev.sluice.decision.Answer;
import dev.sluice.decision.Status;
import dev.sluice.rule.Rule;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The status that the headers of an answer describe: of a denial the limit that keeps the request
 * out for longest, else the limit of which least remains.
 *
 * <p>A quota rule denies only together with all others of its kind, so of those the one that lets
 * the request pass first counts. Not thread-safe; made and used for one answer.
 */
final class DecisiveStatus {
  private final boolean allQuota;
  private @Nullable Status denying;
  private long denyingWait;
  private @Nullable Status quota;
  private long quotaWait;
  private boolean quotaPasses;
  private @Nullable Status scarcest;
  private long least;

  private DecisiveStatus(boolean allQuota) {
    this.allQuota = allQuota;
  }

  /**
   * That status among those of a decision; nothing if none has a limit.
   *
   * @param allQuota whether every limited descriptor counts as one of a quota rule
   */
  static Optional<Status> of(Answer.Decision decision, boolean allQuota) {
    DecisiveStatus decisive = new DecisiveStatus(allQuota);
    for (Status status : decision.statuses()) {
      if (status instanceof Status.Decided decided) {
        decisive.look(status, decided.match().rule());
      } else if (status instanceof Status.Blocked blocked) {
        decisive.look(status, blocked.match().rule());
      } else {
        decisive.quotaPasses |= allQuota && status instanceof Status.Unmatched;
      }
    }
    return Optional.ofNullable(decisive.choose());
  }

  private void look(Status status, Rule rule) {
    long remaining = remaining(status);
    if (scarcest == null || remaining < least) {
      scarcest = status;
      least = remaining;
    }
    boolean isQuota = allQuota || rule.conduct().quota();
    long wait = wait(status);
    if (status.isOk()) {
      quotaPasses |= isQuota;
    } else if (isQuota && (quota == null || wait < quotaWait)) {
      quota = status;
      quotaWait = wait;
    } else if (!isQuota && (denying == null || wait >= denyingWait)) {
      denying = status;
      denyingWait = wait;
    }
  }

  private @Nullable Status choose() {
    if (quota != null && !quotaPasses && (denying == null || quotaWait > denyingWait)) {
      return quota;
    }
    return denying == null ? scarcest : denying;
  }

  private static long remaining(Status status) {
    return status instanceof Status.Decided decided && decided.verdict().conforms()
        ? decided.verdict().balance().remaining()
        : 0;
  }

  private static long wait(Status status) {
    return status instanceof Status.Decided decided
        ? Standing.waitMicros(decided.verdict())
        : Standing.NEVER;
  }
}
