package dev.sluice.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.rule.Entry;
import dev.sluice.rule.RateLimit;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.RuleFiles;
import dev.sluice.rulefile.RuleOptions;
import dev.sluice.rulefile.RuleText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who decides for limits that requests bring along when the store does not. */
class OverrideFailureTest {
  private static final String RULES =
      """
      domain: d
      descriptors:
        - key: pay
          rate_limit: {unit: hour, requests_per_unit: 10, on_backend_failure: error}
        - key: user
          rate_limit: {unit: hour, requests_per_unit: 10}
      """;

  private static OnFailure decider(String rules, RuleOptions options, String key) {
    RuleText text = new RuleText.Read("d.yaml", StandardCharsets.UTF_8.encode(rules));
    Loading.Loaded loaded = (Loading.Loaded) RuleFiles.read("rules", List.of(text), options);
    Descriptor asked =
        new Descriptor(
            List.of(new Entry(key, "v")),
            Optional.of(new RateLimit.Limited(Limit.of(5, Period.MINUTE))),
            new Hits.Asked(1));
    RateLimiter.Modes modes = new RateLimiter.Modes(false, false);
    List<BucketCharge> charges =
        new Plan(loaded.rules(), new Query("d", List.of(asked)), modes).charges();
    return charges.get(0).terms().onFailure();
  }

  @Test
  void aLimitInThePlaceOfARuleGoesByThatRule() {
    String denying = "on_backend_failure: deny\n" + RULES;
    assertThat(decider(denying, RuleOptions.STRICT, "pay")).isEqualTo(OnFailure.ERROR);
    assertThat(decider(denying, RuleOptions.STRICT, "user")).isEqualTo(OnFailure.DENY);
  }

  @Test
  void aLimitWithoutARuleGoesByItsDomain() {
    String denying = "on_backend_failure: deny\n" + RULES;
    assertThat(decider(denying, RuleOptions.STRICT, "other")).isEqualTo(OnFailure.DENY);
  }

  @Test
  void whereTheDomainSaysNothingItGoesByTheProcess() {
    assertThat(decider(RULES, RuleOptions.STRICT, "other")).isEqualTo(OnFailure.LOCAL);
    RuleOptions allowing = RuleOptions.STRICT.onFailure(OnFailure.ALLOW);
    assertThat(decider(RULES, allowing, "other")).isEqualTo(OnFailure.ALLOW);
  }
}
