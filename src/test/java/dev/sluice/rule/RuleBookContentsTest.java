package dev.sluice.rule;

import static dev.sluice.rule.SampleRules.NOTHING;
import static dev.sluice.rule.SampleRules.SOME;
import static dev.sluice.rule.SampleRules.book;
import static dev.sluice.rule.SampleRules.entries;
import static dev.sluice.rule.SampleRules.leaf;
import static dev.sluice.rule.SampleRules.node;
import static dev.sluice.rule.SampleRules.root;
import static dev.sluice.rule.SampleRules.rule;
import static dev.sluice.rule.SampleRules.shadow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limit.Period;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RuleBookContentsTest {
  @Nested
  class Contents {
    @Test
    void domainsAreSorted() {
      RuleBook rules = new RuleBook(Map.of("b", NOTHING, "a", NOTHING, "c", NOTHING));

      assertThat(rules.domains()).containsExactly("a", "b", "c");
      assertThat(rules.knows("a")).isTrue();
      assertThat(rules.knows("d")).isFalse();
    }

    @Test
    void rulesAreCountedOnAllLevels() {
      RuleNode below =
          root()
              .rule(rule("outer", SOME))
              .child("b", "", Naming.PLAIN, leaf("1"))
              .child("b", "x", Naming.PLAIN, leaf("2"))
              .child("b", "y*", Naming.PLAIN, leaf("3"))
              .build();
      RuleBook rules =
          book(root().child("a", "", Naming.PLAIN, below).child("c", "", Naming.PLAIN, NOTHING));

      assertThat(rules.count("d")).isEqualTo(4);
      assertThat(rules.count("other")).isZero();
    }

    @Test
    void aBookDoesNotChangeWithTheMapThatItWasMadeOf() {
      Map<String, RuleNode> domains = new HashMap<>(Map.of("a", NOTHING));
      RuleBook rules = new RuleBook(domains);
      domains.clear();

      assertThat(rules.domains()).containsExactly("a");
    }
  }

  @Nested
  class Samples {
    @Test
    void aSampleReachesTheNearestRuleThatDenies() {
      RuleNode deep = root().child("b", "", Naming.PLAIN, leaf("deep")).build();
      RuleBook rules =
          book(
              root()
                  .child("a", "", Naming.PLAIN, deep)
                  .child("near", "x", Naming.PLAIN, leaf("near")));

      assertThat(rules.sample("d")).contains(entries("near=x"));
    }

    @Test
    void aSampleIsNoRuleThatAlwaysAllowsOrAlwaysDenies() {
      RuleBook rules =
          book(
              root()
                  .child("a", "", Naming.PLAIN, node(rule("unlimited", new RateLimit.Unlimited())))
                  .child(
                      "b",
                      "",
                      Naming.PLAIN,
                      node(rule("blocked", new RateLimit.Blocked(Period.DAY))))
                  .child("c", "", Naming.PLAIN, node(shadow(SOME)))
                  .child("d", "", Naming.PLAIN, leaf("limited")));

      assertThat(rules.sample("d")).contains(entries("d=demo"));
    }

    @Test
    void aSampleIsFoundBehindAnExactValueWhereAnyValueLeadsNowhere() {
      RuleBook rules =
          book(
              root()
                  .child("k", "", Naming.PLAIN, NOTHING)
                  .child("k", "x", Naming.PLAIN, leaf("exact")));

      assertThat(rules.sample("d")).contains(entries("k=x"));
    }

    @Test
    void aSampleReachesARuleAlsoWhereAPatternIsInTheWay() {
      RuleBook rules =
          book(
              root()
                  .child("k", "", Naming.PLAIN, leaf("any"))
                  .child("k", "d*", Naming.PLAIN, NOTHING)
                  .child("k", "x", Naming.PLAIN, leaf("exact")));

      List<Entry> sample = rules.sample("d").orElseThrow();

      assertThat(rules.find("d", sample)).isInstanceOf(Match.Found.class);
    }

    @Test
    void aDomainWithoutRulesHasNoSample() {
      RuleBook rules = book(root());

      assertThat(rules.sample("d")).isEmpty();
      assertThat(rules.sample("other")).isEmpty();
    }
  }
}
