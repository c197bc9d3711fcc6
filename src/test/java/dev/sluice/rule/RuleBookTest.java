package dev.sluice.rule;

import static dev.sluice.rule.SampleRules.NOTHING;
import static dev.sluice.rule.SampleRules.SOME;
import static dev.sluice.rule.SampleRules.book;
import static dev.sluice.rule.SampleRules.entries;
import static dev.sluice.rule.SampleRules.leaf;
import static dev.sluice.rule.SampleRules.root;
import static dev.sluice.rule.SampleRules.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RuleBookTest {
  @Nested
  class Precedence {
    @Test
    void anExactValueGoesBeforeAPatternThatComesFirst() {
      RuleBook rules =
          book(
              root()
                  .child("k", "a*", Naming.PLAIN, leaf("pattern"))
                  .child("k", "ab", Naming.PLAIN, leaf("exact")));

      assertThat(found(rules, "k=ab")).isEqualTo("exact");
      assertThat(found(rules, "k=ac")).isEqualTo("pattern");
    }

    @Test
    void theFirstPatternOfTheFileGoesBeforeALongerOne() {
      RuleBook rules =
          book(
              root()
                  .child("k", "a*", Naming.PLAIN, leaf("short"))
                  .child("k", "ab*", Naming.PLAIN, leaf("long")));

      assertThat(found(rules, "k=abc")).isEqualTo("short");
    }

    @Test
    void aPatternGoesBeforeAnyValueThatComesFirst() {
      RuleBook rules =
          book(
              root()
                  .child("k", "", Naming.PLAIN, leaf("any"))
                  .child("k", "a*", Naming.PLAIN, leaf("pattern")));

      assertThat(found(rules, "k=abc")).isEqualTo("pattern");
      assertThat(found(rules, "k=b")).isEqualTo("any");
    }

    @Test
    void anExactValueWithoutARuleIsAnException() {
      RuleBook rules =
          book(
              root()
                  .child("k", "", Naming.PLAIN, leaf("any"))
                  .child("k", "free", Naming.PLAIN, NOTHING));

      assertThat(found(rules, "k=free")).isEqualTo("no rule");
      assertThat(found(rules, "k=other")).isEqualTo("any");
    }
  }

  @Nested
  class Paths {
    @Test
    void aRuleIsFoundAtItsExactDepthOnly() {
      RuleBook rules =
          book(
              root()
                  .child(
                      "a",
                      "",
                      Naming.PLAIN,
                      root().child("b", "", Naming.PLAIN, leaf("ab")).build()));

      assertThat(found(rules, "a=1")).isEqualTo("no rule");
      assertThat(found(rules, "a=1", "b=2")).isEqualTo("ab");
      assertThat(found(rules, "a=1", "b=2", "c=3")).isEqualTo("no rule");
      assertThat(found(rules)).isEqualTo("no rule");
    }

    @Test
    void aRuleOnTheWayIsNotTheRuleAtTheEnd() {
      RuleBook rules =
          book(
              root()
                  .child(
                      "a",
                      "1",
                      Naming.PLAIN,
                      root()
                          .rule(rule("outer", SOME))
                          .child("b", "2", Naming.PLAIN, leaf("inner"))
                          .build()));

      assertThat(found(rules, "a=1")).isEqualTo("outer");
      assertThat(found(rules, "a=1", "b=2")).isEqualTo("inner");
      assertThat(found(rules, "a=1", "b=3")).isEqualTo("no rule");
    }

    @Test
    void theOrderOfTheEntriesMatters() {
      RuleBook rules =
          book(
              root()
                  .child(
                      "a",
                      "",
                      Naming.PLAIN,
                      root().child("b", "", Naming.PLAIN, leaf("ab")).build()));

      assertThat(found(rules, "b=2", "a=1")).isEqualTo("no rule");
    }

    @Test
    void thereIsNoGoingBackFromAChosenChild() {
      RuleBook rules =
          book(
              root()
                  .child(
                      "a",
                      "x",
                      Naming.PLAIN,
                      root().child("b", "1", Naming.PLAIN, leaf("narrow")).build())
                  .child(
                      "a",
                      "",
                      Naming.PLAIN,
                      root().child("c", "", Naming.PLAIN, leaf("wide")).build()));

      assertThat(found(rules, "a=x", "c=1")).isEqualTo("no rule");
      assertThat(found(rules, "a=y", "c=1")).isEqualTo("wide");
    }

    @Test
    void aDomainThatIsNotThereIsNotADomainWithoutRules() {
      RuleBook rules = new RuleBook(Map.of("empty", NOTHING));

      assertThat(rules.find("empty", entries("k=v"))).isInstanceOf(Match.NoRule.class);
      assertThat(rules.find("other", entries("k=v"))).isInstanceOf(Match.UnknownDomain.class);
      assertThat(rules.find("EMPTY", entries("k=v"))).isInstanceOf(Match.UnknownDomain.class);
    }
  }

  @Nested
  class Values {
    @Test
    void anEmptyValueIsAValueLikeAnyOther() {
      RuleBook rules =
          book(
              root()
                  .child("k", "", Naming.PLAIN, leaf("any"))
                  .child("p", "*", Naming.PLAIN, leaf("pattern"))
                  .child("e", "x", Naming.PLAIN, leaf("exact")));

      assertThat(found(rules, "k=")).isEqualTo("any");
      assertThat(found(rules, "p=")).isEqualTo("pattern");
      assertThat(found(rules, "e=")).isEqualTo("no rule");
    }

    @Test
    void aSeparatorInAValueDoesNotReachAnotherKey() {
      RuleBook rules =
          book(
              root()
                  .child("a", "b_c", Naming.PLAIN, leaf("a"))
                  .child("a_b", "c", Naming.PLAIN, leaf("a_b"))
                  .child("wild", "foo*", Naming.PLAIN, leaf("wild"))
                  .child("x_y", "", Naming.PLAIN, leaf("x_y")));

      assertThat(found(rules, "a=b_c")).isEqualTo("a");
      assertThat(found(rules, "a_b=c")).isEqualTo("a_b");
      assertThat(found(rules, "a_b_c=")).isEqualTo("no rule");
      assertThat(found(rules, "wild_foo=x")).isEqualTo("no rule");
      assertThat(found(rules, "x=y")).isEqualTo("no rule");
    }

    @Test
    void keysAndValuesDifferByCase() {
      RuleBook rules = book(root().child("Key", "Value", Naming.PLAIN, leaf("rule")));

      assertThat(found(rules, "Key=Value")).isEqualTo("rule");
      assertThat(found(rules, "key=Value")).isEqualTo("no rule");
      assertThat(found(rules, "Key=value")).isEqualTo("no rule");
    }

    @Test
    void aStarInARequestIsNoPattern() {
      RuleBook rules = book(root().child("k", "abc", Naming.PLAIN, leaf("exact")));

      assertThat(found(rules, "k=a*")).isEqualTo("no rule");
    }

    @Test
    void anEntryWithoutAKeyIsRefused() {
      assertThatThrownBy(() -> new Entry("", "v"))
          .hasMessage("the key of an entry is empty (expected at least one character)");
    }
  }

  @Nested
  class Buckets {
    @Test
    void everyValueHasABucketOfItsOwn() {
      RuleBook rules =
          book(
              root()
                  .child("k", "", Naming.PLAIN, leaf("any"))
                  .child("k", "a*", Naming.PLAIN, leaf("pattern")));

      assertThat(bucket(rules, "k=abc")).containsExactly(new Entry("k", "abc"));
      assertThat(bucket(rules, "k=b")).containsExactly(new Entry("k", "b"));
    }

    @Test
    void valuesThatShareHaveTheBucketOfTheirPattern() {
      RuleBook rules = book(root().child("k", "a*", Naming.SHARED, leaf("shared")));

      assertThat(bucket(rules, "k=abc")).containsExactly(new Entry("k", "a*"));
    }

    @Test
    void onlyTheLevelsThatShareAreReplaced() {
      RuleNode leaf = leaf("rule");
      RuleNode middle =
          root()
              .child(
                  "file",
                  "f*",
                  Naming.PLAIN,
                  root().child("type", "t*", Naming.SHARED, leaf).build())
              .build();
      RuleBook rules = book(root().child("path", "p*", Naming.SHARED, middle));

      assertThat(bucket(rules, "path=p1", "file=f1", "type=t1"))
          .containsExactly(
              new Entry("path", "p*"), new Entry("file", "f1"), new Entry("type", "t*"));
    }
  }

  private static String found(RuleBook rules, String... entries) {
    Match match = rules.find("d", entries(entries));
    return match instanceof Match.Found found ? found.rule().id() : "no rule";
  }

  private static List<Entry> bucket(RuleBook rules, String... entries) {
    Match match = rules.find("d", entries(entries));
    assertThat(match).isInstanceOf(Match.Found.class);
    return ((Match.Found) match).bucketEntries();
  }
}
