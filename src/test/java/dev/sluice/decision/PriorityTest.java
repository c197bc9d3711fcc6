package dev.sluice.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.Terms.Priority;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.RuleFiles;
import dev.sluice.rulefile.RuleOptions;
import dev.sluice.rulefile.RuleText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where the priority of a charge comes from. */
class PriorityTest {
  private static final String RULES =
      """
      domain: d
      descriptors:
        - key: pay
          rate_limit: {unit: hour, requests_per_unit: 10, priority: critical}
        - key: show
          rate_limit: {unit: hour, requests_per_unit: 10, priority: Sheddable}
        - key: user
          rate_limit: {unit: hour, requests_per_unit: 10}
      """;

  private static List<Priority> priorities(String key, String... descriptors) {
    RuleText text = new RuleText.Read("d.yaml", StandardCharsets.UTF_8.encode(RULES));
    Loading.Loaded loaded =
        (Loading.Loaded) RuleFiles.read("rules", List.of(text), RuleOptions.STRICT);
    List<Descriptor> asked =
        Stream.of(descriptors).map(it -> Deciding.descriptor(it, new Hits.Asked(1))).toList();
    RateLimiter.Modes modes = new RateLimiter.Modes(false, false, false, key);
    return new Plan(loaded.rules(), new Query("d", asked), modes)
        .charges().stream().map(BucketCharge::terms).map(it -> it.priority()).toList();
  }

  @Test
  void aRuleStatesItOrItIsTheUsualOne() {
    assertThat(priorities("", "pay=1", "show=1", "user=1"))
        .containsExactly(Priority.CRITICAL, Priority.SHEDDABLE, Priority.DEFAULT);
  }

  @Test
  void anEntryThatIsTrustedStatesItForTheWholeRequest() {
    assertThat(priorities("priority", "pay=1", "priority=LOW", "user=1"))
        .containsExactly(Priority.SHEDDABLE, Priority.SHEDDABLE);
    assertThat(priorities("priority", "user=1", "priority=high"))
        .containsExactly(Priority.CRITICAL);
    assertThat(priorities("priority", "show=1", "priority=medium"))
        .containsExactly(Priority.DEFAULT);
  }

  @Test
  void anEntryThatIsNotTrustedOrMeansNothingStatesNothing() {
    assertThat(priorities("", "user=1", "priority=high")).containsExactly(Priority.DEFAULT);
    assertThat(priorities("importance", "user=1", "priority=high"))
        .containsExactly(Priority.DEFAULT);
    assertThat(priorities("priority", "pay=1", "priority=urgent"))
        .containsExactly(Priority.CRITICAL);
  }
}
