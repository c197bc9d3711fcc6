package dev.sluice.rule;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which rules do not hold in a request, because others that it reaches replace them. */
public final class Replaced {
  private static final Replaced NOTHING = new Replaced(Set.of());

  private final Set<String> names;

  private Replaced(Set<String> names) {
    this.names = names;
  }

  /** What is replaced by the rules that the descriptors of one request found. */
  public static Replaced by(List<Match> matches) {
    Replaced replaced = NOTHING;
    for (Match match : matches) {
      if (match instanceof Match.Found found && !found.rule().replaces().isEmpty()) {
        replaced = replaced.isNothing() ? new Replaced(new HashSet<>()) : replaced;
        replaced.names.addAll(found.rule().replaces());
      }
    }
    return replaced;
  }

  /** Whether every rule stays. */
  public boolean isNothing() {
    return names.isEmpty();
  }

  /** Whether a rule is replaced. One without a limit stays: there is nothing to replace. */
  public boolean contains(Match match) {
    return !names.isEmpty()
        && match instanceof Match.Found found
        && !(found.rule().rateLimit() instanceof RateLimit.Unlimited)
        && names.contains(found.rule().name());
  }
}
