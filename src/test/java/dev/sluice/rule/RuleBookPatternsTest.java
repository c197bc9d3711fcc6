package dev.sluice.rule;

import static dev.sluice.rule.SampleRules.NOTHING;
import static dev.sluice.rule.SampleRules.book;
import static dev.sluice.rule.SampleRules.entries;
import static dev.sluice.rule.SampleRules.leaf;
import static dev.sluice.rule.SampleRules.root;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Stars in keys and in values, side by side. */
class RuleBookPatternsTest {
  @Test
  void anExactKeyAndValueGoBeforeAPatternInAKeyThatComesFirst() {
    RuleBook rules =
        book(
            root()
                .child("u*", "v", Naming.PLAIN, leaf("key pattern"))
                .child("user", "v", Naming.PLAIN, leaf("exact")));

    assertThat(found(rules, "user=v")).isEqualTo("exact");
    assertThat(found(rules, "unit=v")).isEqualTo("key pattern");
    assertThat(found(rules, "unit=w")).isEqualTo("no rule");
  }

  @Test
  void patternsInKeysAndInValuesGoInTheOrderOfTheFile() {
    RuleBook keyFirst =
        book(
            root()
                .child("u*", "", Naming.PLAIN, leaf("key pattern"))
                .child("user", "a*", Naming.PLAIN, leaf("value pattern")));
    RuleBook valueFirst =
        book(
            root()
                .child("user", "a*", Naming.PLAIN, leaf("value pattern"))
                .child("u*", "", Naming.PLAIN, leaf("key pattern")));

    assertThat(found(keyFirst, "user=abc")).isEqualTo("key pattern");
    assertThat(found(valueFirst, "user=abc")).isEqualTo("value pattern");
    assertThat(found(valueFirst, "user=b")).isEqualTo("key pattern");
  }

  /** Names of routes may have stars of their own, and are sent and written alike. */
  @Test
  void aPatternThatIsSentLetterByLetterGoesBeforeOthers() {
    RuleBook rules =
        book(
            root()
                .child("route", "a/*", Naming.PLAIN, leaf("all hosts"))
                .child("route", "a/*_com", Naming.PLAIN, leaf("some hosts"))
                .child("r*", "a/*_org", Naming.PLAIN, leaf("key and value")));

    assertThat(found(rules, "route=a/*_com")).isEqualTo("some hosts");
    assertThat(found(rules, "route=a/x_com")).isEqualTo("all hosts");
    assertThat(found(rules, "r*=a/*_org")).isEqualTo("key and value");
    assertThat(found(rules, "route=a/*_org")).isEqualTo("all hosts");
  }

  @Test
  void theFirstPatternOfTheFileIsTakenAlsoAmongPatternsInKeys() {
    RuleBook rules =
        book(
            root()
                .child("a*", "", Naming.PLAIN, leaf("short"))
                .child("ab*", "", Naming.PLAIN, leaf("long")));

    assertThat(found(rules, "abc=v")).isEqualTo("short");
  }

  @Test
  void aPatternInAKeyGoesBeforeTheRuleForEveryValueOfThatKey() {
    RuleBook rules =
        book(
            root()
                .child("user", "", Naming.PLAIN, leaf("any"))
                .child("u*", "a*", Naming.PLAIN, leaf("both patterns")));

    assertThat(found(rules, "user=abc")).isEqualTo("both patterns");
    assertThat(found(rules, "user=b")).isEqualTo("any");
  }

  @Test
  void aKeyAndItsValueHaveToFitEachByItself() {
    RuleBook rules =
        book(
            root()
                .child("wild", "foo*", Naming.PLAIN, leaf("value pattern"))
                .child("k*y", "v*w", Naming.PLAIN, leaf("both patterns"))
                .child("all", "*", Naming.PLAIN, leaf("all values")));

    assertThat(found(rules, "wild_foo=x")).isEqualTo("no rule");
    assertThat(found(rules, "wild=foo")).isEqualTo("value pattern");
    assertThat(found(rules, "k=y_vw")).isEqualTo("no rule");
    assertThat(found(rules, "ky_v=w")).isEqualTo("no rule");
    assertThat(found(rules, "k-y=v-w")).isEqualTo("both patterns");
    assertThat(found(rules, "all_more=x")).isEqualTo("no rule");
    assertThat(found(rules, "all=")).isEqualTo("all values");
  }

  @Test
  void twoWaysToSplitTheSameTextAreTwoRules() {
    RuleBook rules =
        book(
            root()
                .child("a", "b_c", Naming.PLAIN, leaf("first"))
                .child("a_b", "c", Naming.PLAIN, leaf("second")));

    assertThat(found(rules, "a=b_c")).isEqualTo("first");
    assertThat(found(rules, "a_b=c")).isEqualTo("second");
    assertThat(found(rules, "a_b_c=")).isEqualTo("no rule");
  }

  @Test
  void aChildThatAPatternInAKeyLeadsToIsNotLeftForAnother() {
    RuleBook rules =
        book(
            root()
                .child("u*", "", Naming.PLAIN, NOTHING)
                .child(
                    "user",
                    "",
                    Naming.PLAIN,
                    root().child("b", "", Naming.PLAIN, leaf("below")).build()));

    assertThat(found(rules, "user=a", "b=c")).isEqualTo("no rule");
  }

  @Test
  void whatSharesThroughAPatternInTheKeyHasOneBucketForAllItsKeysAndValues() {
    RuleBook rules =
        book(
            root()
                .child("tenant-*", "", Naming.SHARED, leaf("shared"))
                .child("region-*", "eu", Naming.SHARED, leaf("one value"))
                .child("zone-*", "", Naming.PLAIN, leaf("by itself")));

    assertThat(bucket(rules, "tenant-1=a")).containsExactly(new Entry("tenant-*", ""));
    assertThat(bucket(rules, "tenant-2=b")).containsExactly(new Entry("tenant-*", ""));
    assertThat(bucket(rules, "region-1=eu")).containsExactly(new Entry("region-*", "eu"));
    assertThat(bucket(rules, "zone-1=a")).containsExactly(new Entry("zone-1", "a"));
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
