package dev.sluice.decision;

import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.rule.Entry;
import dev.sluice.rule.Match;
import dev.sluice.rule.Replaced;
import dev.sluice.rule.Rule;
import dev.sluice.rule.RuleBook;
import java.util.ArrayList;
import java.util.List;

/** The rules that hold for the descriptors of one request. */
final class Matches {
  private static final Match NONE = new Match.NoRule();

  private Matches() {}

  /**
   * What each descriptor finds, in order; nothing where another descriptor's rule replaces it.
   *
   * @param told the entries of each descriptor, as they may be told
   */
  static List<Match> of(RuleBook rules, Query query, List<List<Entry>> told) {
    List<Match> matches = new ArrayList<>(told.size());
    for (int i = 0; i < told.size(); i++) {
      matches.add(match(rules, query.domain(), query.descriptors().get(i), told.get(i)));
    }
    Replaced replaced = Replaced.by(matches);
    if (!replaced.isNothing()) {
      matches.replaceAll(match -> replaced.contains(match) ? NONE : match);
    }
    return matches;
  }

  private static Match match(
      RuleBook rules, String domain, Descriptor descriptor, List<Entry> told) {
    if (descriptor.override().isEmpty() || !rules.knows(domain)) {
      return rules.find(domain, descriptor.entries(), told);
    }
    List<String> label = told.stream().map(Entry::label).toList();
    Rule rule = Rule.plain(domain, descriptor.override().get());
    OnFailure decider =
        rules.find(domain, descriptor.entries(), told) instanceof Match.Found found
            ? found.rule().conduct().terms().onFailure()
            : rules.onFailure(domain);
    return new Match.Found(rule.onFailure(decider), told, label);
  }
}
