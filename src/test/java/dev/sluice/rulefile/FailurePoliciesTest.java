package dev.sluice.rulefile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.rule.Entry;
import dev.sluice.rule.Match;
import dev.sluice.rulefile.Loading.Loaded;
import dev.sluice.rulefile.Loading.Rejected;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who decides when the store does not: what rules, domains and the process say of it. */
final class FailurePoliciesTest {
  private static final String SILENT = "descriptors: [" + rule("k", "") + "]\n";

  @ParameterizedTest
  @EnumSource(OnFailure.class)
  void whereNobodySaysAnythingTheProcessDoes(OnFailure standard) {
    assertThat(policy(standard, "k", "domain: d\n" + SILENT)).isEqualTo(standard);
  }

  @Test
  void aDomainGoesBeforeTheProcess() {
    String file = "domain: d\non_backend_failure: deny\n" + SILENT;
    assertThat(policy(OnFailure.ALLOW, "k", file)).isEqualTo(OnFailure.DENY);
  }

  @Test
  void aRuleGoesBeforeItsDomainHoweverDeepItIs() {
    String file =
        "on_backend_failure: deny\ndomain: d\ndescriptors:\n  - key: a\n    descriptors:\n      - "
            + rule("b", "on_backend_failure: allow")
            + "\n      - "
            + rule("c", "");
    assertThat(policyOf(read(OnFailure.ERROR, file), "a", "b")).isEqualTo(OnFailure.ALLOW);
    assertThat(policyOf(read(OnFailure.ERROR, file), "a", "c")).isEqualTo(OnFailure.DENY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"deny", "DENY", "Deny", "'deny'"})
  void wordsAreReadInAnyCase(String word) {
    String file = "domain: d\non_backend_failure: " + word + "\n" + SILENT;
    assertThat(policy(OnFailure.LOCAL, "k", file)).isEqualTo(OnFailure.DENY);
  }

  @Test
  void aKeyWithoutAValueSaysNothing() {
    String file = "domain: d\non_backend_failure:\n" + SILENT;
    assertThat(policy(OnFailure.ERROR, "k", file)).isEqualTo(OnFailure.ERROR);
  }

  @Test
  void whatOneFileSaysOfADomainHoldsForAllItsFiles() {
    String says = "domain: d\non_backend_failure: deny\ndescriptors: [" + rule("a", "") + "]\n";
    String silent = "domain: d\n" + SILENT;
    for (Loading both :
        List.of(read(OnFailure.LOCAL, says, silent), read(OnFailure.LOCAL, silent, says))) {
      assertThat(policyOf(both, "k")).isEqualTo(OnFailure.DENY);
      assertThat(policyOf(both, "a")).isEqualTo(OnFailure.DENY);
    }
  }

  @Test
  void filesThatDisagreeAboutTheirDomainAreAProblemThatNamesBothPlaces() {
    String deny = "domain: d\non_backend_failure: deny\n" + SILENT;
    String allow = "on_backend_failure: allow\ndomain: d\ndescriptors: []\n";
    assertThat(problems(deny, allow))
        .containsExactly(
            "2.yaml:1:21: on_backend_failure is already given at 1.yaml:2:21 with another value"
                + " (expected both to say the same)");
    assertThat(read(OnFailure.LOCAL, deny, deny)).isInstanceOf(Loaded.class);
  }

  @Test
  void oneRuleThatIsSaidTwiceWithTwoPoliciesIsAProblem() {
    String deny = "domain: d\ndescriptors: [" + rule("k", "on_backend_failure: deny") + "]\n";
    String allow = "domain: d\ndescriptors: [" + rule("k", "on_backend_failure: allow") + "]\n";
    assertThat(problems(deny, allow))
        .singleElement()
        .asString()
        .startsWith("2.yaml:2:15: 'd.k' is already defined at 1.yaml:2:15 with another rate_limit");
  }

  private static String rule(String key, String more) {
    return "{key: " + key + ", rate_limit: {unit: day, requests_per_unit: 1, " + more + "}}";
  }

  private static OnFailure policy(OnFailure standard, String key, String file) {
    return policyOf(read(standard, file), key);
  }

  private static OnFailure policyOf(Loading loading, String... keys) {
    assertThat(loading).isInstanceOf(Loaded.class);
    List<Entry> entries = new ArrayList<>();
    for (String key : keys) {
      entries.add(new Entry(key, "v"));
    }
    Match match = ((Loaded) loading).rules().find("d", entries);
    assertThat(match).isInstanceOf(Match.Found.class);
    return ((Match.Found) match).rule().conduct().terms().onFailure();
  }

  private static List<String> problems(String... files) {
    Loading loading = read(OnFailure.LOCAL, files);
    assertThat(loading).isInstanceOf(Rejected.class);
    return ((Rejected) loading).problems().stream().map(Problem::toString).toList();
  }

  private static Loading read(OnFailure standard, String... files) {
    List<RuleText> texts = new ArrayList<>();
    for (String text : files) {
      String name = (texts.size() + 1) + ".yaml";
      texts.add(new RuleText.Read(name, StandardCharsets.UTF_8.encode(text)));
    }
    RuleOptions options = new RuleOptions(true, RuleOptions.Policy.STRICT).onFailure(standard);
    return RuleFiles.read("rules", texts, options);
  }
}
