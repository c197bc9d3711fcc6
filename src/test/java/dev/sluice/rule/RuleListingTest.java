package dev.sluice.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuleListingTest {
  @Test
  void eachRuleIsALineInTheWordsOfTheReference() {
    RuleBook book =
        new RuleBook(
            Map.of(
                "b", domain("k", new RateLimit.Limited(Limit.of(3, Period.MINUTE))),
                "a", domain("u", new RateLimit.Unlimited()),
                "c", domain("z", new RateLimit.Blocked(Period.DAY))));

    assertThat(RuleListing.of(book))
        .isEqualTo(
            """
            a.u: unit=UNKNOWN requests_per_unit=0, shadow_mode: false, quota_mode: false
            b.k: unit=MINUTE requests_per_unit=3, shadow_mode: false, quota_mode: false
            c.z: unit=DAY requests_per_unit=0, shadow_mode: false, quota_mode: false
            """);
  }

  @Test
  void aBookWithoutRulesIsEmpty() {
    assertThat(RuleListing.of(new RuleBook(Map.of()))).isEmpty();
  }

  private static RuleNode domain(String key, RateLimit limit) {
    RuleNode child = RuleNode.builder().rule(Rule.plain(key, limit)).build();
    return RuleNode.builder().child(key, "", Naming.PLAIN, child).build();
  }
}
