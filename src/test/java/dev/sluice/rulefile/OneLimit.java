package dev.sluice.rulefile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rule.Entry;
import dev.sluice.rule.Match;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.RuleBook;
import java.util.List;

/** Rule files of one rule each, and what they say. */
final class OneLimit {
  private OneLimit() {}

  /** The text of a file that allows so many requests a day. */
  static String file(String domain, int requests) {
    return """
        domain: %s
        descriptors:
          - key: k
            rate_limit: {unit: day, requests_per_unit: %d}
        """
        .formatted(domain, requests);
  }

  /** The requests a day that the rules of a domain allow. */
  static long in(RuleBook rules, String domain) {
    Match match = rules.find(domain, List.of(new Entry("k", "v")));
    assertThat(match).isInstanceOf(Match.Found.class);
    return ((RateLimit.Limited) ((Match.Found) match).rule().rateLimit()).limit().requests();
  }
}
