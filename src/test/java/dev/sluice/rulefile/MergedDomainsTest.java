package dev.sluice.rulefile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rule.Entry;
import dev.sluice.rule.Match;
import dev.sluice.rule.RuleBook;
import dev.sluice.rulefile.Loading.Loaded;
import dev.sluice.rulefile.Loading.Rejected;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Several files for one domain, where that is allowed. */
class MergedDomainsTest {
  private static final RuleOptions MERGE = new RuleOptions(true, RuleOptions.Policy.STRICT);
  private static final String ONE = "rate_limit: {unit: day, requests_per_unit: 1}";
  private static final String TWO = "rate_limit: {unit: day, requests_per_unit: 2}";

  @Nested
  class WhatIsPutTogether {
    @Test
    void rulesOfBothFilesAreInForce() {
      RuleBook rules = loaded("- {key: a, " + ONE + "}", "- {key: b, " + TWO + "}");

      assertThat(found(rules, "a=1")).isEqualTo("d.a");
      assertThat(found(rules, "b=1")).isEqualTo("d.b");
    }

    @Test
    void patternsGoInTheOrderOfTheFiles() {
      RuleBook rules =
          loaded("- {key: k, value: ab*, " + ONE + "}", "- {key: k, value: a*, " + TWO + "}");

      assertThat(found(rules, "k=abc")).isEqualTo("d.k=ab*");
      assertThat(found(rules, "k=ac")).isEqualTo("d.k=a*");
    }

    @Test
    void parentsThatSayTheSameHaveTheChildrenOfBoth() {
      RuleBook rules =
          loaded(
              "- {key: a, value: x, descriptors: [{key: b, " + ONE + "}]}",
              "- {key: a, value: x, descriptors: [{key: c, " + TWO + "}]}");

      assertThat(found(rules, "a=x", "b=1")).isEqualTo("d.a=x.b");
      assertThat(found(rules, "a=x", "c=1")).isEqualTo("d.a=x.c");
    }

    @Test
    void aRuleOfOneFileHasTheChildrenOfTheOther() {
      String parent = "- {key: a, descriptors: [{key: b, " + ONE + "}]}";
      String rule = "- {key: a, " + TWO + ", descriptors: [{key: c, " + ONE + "}]}";

      for (RuleBook rules : List.of(loaded(parent, rule), loaded(rule, parent))) {
        assertThat(found(rules, "a=1")).isEqualTo("d.a");
        assertThat(found(rules, "a=1", "b=1")).isEqualTo("d.a.b");
        assertThat(found(rules, "a=1", "c=1")).isEqualTo("d.a.c");
      }
    }

    @Test
    void rulesThatSayTheSameAreOne() {
      RuleBook rules =
          loaded(
              "- {key: a, rate_limit: {unit: day, requests_per_unit: 1}}",
              "- {rate_limit: {requests_per_unit: 1, unit: DAY, burst: 1}, key: 'a'}");

      assertThat(rules.count("d")).isEqualTo(1);
    }

    @Test
    void equalParentsInOneFileAreOneToo() {
      RuleBook rules =
          loaded(
              "- {key: a, descriptors: [{key: b, "
                  + ONE
                  + "}]}\n  - {key: a, descriptors: [{key: c, "
                  + TWO
                  + "}]}");

      assertThat(found(rules, "a=1", "b=1")).isEqualTo("d.a.b");
      assertThat(found(rules, "a=1", "c=1")).isEqualTo("d.a.c");
    }

    @Test
    void aValueThatIsExemptInBothIsExempt() {
      RuleBook rules =
          loaded("- {key: a, " + ONE + "}\n  - {key: a, value: x}", "- {key: a, value: x}");

      assertThat(found(rules, "a=x")).isEqualTo("no rule");
      assertThat(found(rules, "a=y")).isEqualTo("d.a");
    }
  }

  @Nested
  class WhatContradicts {
    @Test
    void anotherLimitIsAProblemOfTheSecondFile() {
      assertThat(problems("- {key: a, " + ONE + "}", "- {key: a, " + TWO + "}"))
          .containsExactly(
              "2.yaml:3:5: 'd.a' is already defined at 1.yaml:3:5 with another rate_limit"
                  + " (expected both to say the same)");
    }

    @Test
    void anotherConductOrNameIsAnotherRule() {
      String other = "is already defined at 1.yaml:3:5 with another rate_limit";

      assertThat(problems("- {key: a, " + ONE + "}", "- {key: a, shadow_mode: true, " + ONE + "}"))
          .singleElement()
          .asString()
          .contains(other);
      assertThat(problems("- {key: a, " + ONE + "}", "- {key: a, metadata: {b: c}, " + ONE + "}"))
          .singleElement()
          .asString()
          .contains(other);
    }

    @Test
    void aContradictionFarBelowNamesBothPlaces() {
      assertThat(
              problems(
                  "- key: a\n    descriptors:\n      - {key: b, " + ONE + "}",
                  "- {key: c}\n  - key: a\n    descriptors:\n      - {key: b, " + TWO + "}"))
          .containsExactly(
              "2.yaml:6:9: 'd.a.b' is already defined at 1.yaml:5:9 with another rate_limit"
                  + " (expected both to say the same)");
    }

    @Test
    void aValueThatOneFileLimitsIsNotExemptInAnother() {
      String limited = "- {key: a, value: x, " + ONE + "}";
      String exempt = "- {key: a, value: x}";

      assertThat(problems(limited, exempt))
          .containsExactly(
              "2.yaml:3:5: 'd.a=x' is already defined at 1.yaml:3:5 with a rate_limit"
                  + " (expected both to say the same)");
      assertThat(problems(exempt, limited))
          .containsExactly(
              "2.yaml:3:5: 'd.a=x' is already defined at 1.yaml:3:5 with no rate_limit"
                  + " (expected both to say the same)");
    }

    @Test
    void oneThatSharesAndOneThatDoesNotContradictEachOther() {
      String below = "descriptors: [{key: b, " + ONE + "}]}";

      assertThat(
              problems(
                  "- {key: a, value: x*, share_threshold: true, " + below,
                  "- {key: a, value: x*, " + below))
          .containsExactly(
              "2.yaml:3:5: 'd.a=x*' is already defined at 1.yaml:3:5 with another share_threshold,"
                  + " value_to_metric or hash_value (expected both to say the same)");
    }

    @Test
    void theSecondOfThreeNamesTheFirst() {
      assertThat(
              problems(
                  "- {key: a, " + ONE + "}", "- {key: a, " + TWO + "}", "- {key: a, " + ONE + "}"))
          .singleElement()
          .asString()
          .startsWith("2.yaml:3:5: ");
    }
  }

  private static RuleBook loaded(String... files) {
    Loading loading = read(files);
    assertThat(loading).isInstanceOf(Loaded.class);
    return ((Loaded) loading).rules();
  }

  private static List<String> problems(String... files) {
    Loading loading = read(files);
    assertThat(loading).isInstanceOf(Rejected.class);
    return ((Rejected) loading).problems().stream().map(Problem::toString).toList();
  }

  private static Loading read(String... files) {
    List<RuleText> texts = new ArrayList<>();
    for (String descriptors : files) {
      String text = "domain: d\ndescriptors:\n  " + descriptors + "\n";
      String name = (texts.size() + 1) + ".yaml";
      texts.add(new RuleText.Read(name, StandardCharsets.UTF_8.encode(text)));
    }
    return RuleFiles.read("rules", texts, MERGE);
  }

  private static String found(RuleBook rules, String... entries) {
    List<Entry> path =
        Stream.of(entries)
            .map(it -> new Entry(it.split("=", -1)[0], it.split("=", -1)[1]))
            .toList();
    return rules.find("d", path) instanceof Match.Found found ? found.rule().id() : "no rule";
  }
}
