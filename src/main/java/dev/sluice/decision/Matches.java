package dev.sluice.decision;

import dev.sluice.rule.Entry;
import dev.sluice.rule.Match;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import dev.sluice.rule.RuleBook;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules that hold for the descriptors of one request. */
final class Matches {
  private static final Match NONE = new Match.NoRule();

  private Matches() {}

  /** What each descriptor finds, in order; nothing where another descriptor's rule replaces it. */
  static List<Match> of(RuleBook rules, Query query) {
    List<Match> matches = new ArrayList<>(query.descriptors().size());
    boolean replacing = false;
    for (Descriptor descriptor : query.descriptors()) {
      Match match = match(rules, query.domain(), descriptor);
      replacing |= match instanceof Match.Found found && !found.rule().replaces().isEmpty();
      matches.add(match);
    }
    if (replacing) {
      Set<String> replaced = replaced(matches);
      matches.replaceAll(match -> isReplaced(match, replaced) ? NONE : match);
    }
    return matches;
  }

  private static Match match(RuleBook rules, String domain, Descriptor descriptor) {
    if (descriptor.override().isEmpty() || !rules.knows(domain)) {
      return rules.find(domain, descriptor.entries());
    }
    List<Entry> entries = descriptor.entries();
    List<String> label = entries.stream().map(Entry::label).toList();
    return new Match.Found(Rule.plain(domain, descriptor.override().get()), entries, label);
  }

  private static Set<String> replaced(List<Match> matches) {
    Set<String> names = new HashSet<>();
    for (Match match : matches) {
      if (match instanceof Match.Found found) {
        names.addAll(found.rule().replaces());
      }
    }
    return names;
  }

  /** A rule without a limit stays: there is nothing to replace. */
  private static boolean isReplaced(Match match, Set<String> names) {
    return match instanceof Match.Found found
        && !(found.rule().rateLimit() instanceof RateLimit.Unlimited)
        && names.contains(found.rule().name());
  }
}
