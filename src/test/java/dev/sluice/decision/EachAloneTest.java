package dev.sluice.decision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Descriptors that are charged each on its own, as the reference server charges them. */
class EachAloneTest {
  private static final String RULES =
      """
      - {key: a, rate_limit: {unit: day, requests_per_unit: 2}}
      - {key: b, rate_limit: {unit: day, requests_per_unit: 4}}
      - {key: none, rate_limit: {unit: day, requests_per_unit: 0}}
      - {key: quota, quota_mode: true, rate_limit: {unit: day, requests_per_unit: 1}}
      - {key: other-quota, quota_mode: true, rate_limit: {unit: day, requests_per_unit: 3}}
      """;

  private final Deciding each = Deciding.eachAlone(RULES);

  @Test
  void whatConformsIsTakenAlthoughAnotherDescriptorDenies() {
    assertThat(each.ask("a=1", "b=1")).isEqualTo("OK: OK/1 OK/3");
    assertThat(each.ask("a=1", "b=1")).isEqualTo("OK: OK/0 OK/2");
    assertThat(each.ask("a=1", "b=1")).isEqualTo("OVER: OVER/0 OK/1");
    assertThat(each.ask("b=1", "a=1")).isEqualTo("OVER: OK/0 OVER/0");
    assertThat(each.ask("b=1")).isEqualTo("OVER: OVER/0");
  }

  @Test
  void withoutItTheOthersKeepTheirs() {
    Deciding together = Deciding.by(RULES);
    for (int i = 0; i < 4; i++) {
      together.ask("a=1", "b=1");
    }

    assertThat(together.ask("b=1")).isEqualTo("OK: OK/1");
  }

  @Test
  void whatDoesNotFitIsNotTaken() {
    assertThat(each.decide(List.of(Deciding.descriptor("a=1", new Hits.Asked(3)))))
        .isEqualTo("OVER: OVER/2");
    assertThat(each.ask("a=1")).isEqualTo("OK: OK/1");
  }

  @Test
  void theOthersAreChargedBesideABlockedRuleToo() {
    assertThat(each.ask("none=1", "b=1")).isEqualTo("OVER: OVER/blocked OK/3");
    assertThat(each.ask("b=1")).isEqualTo("OK: OK/2");
  }

  @Test
  void quotaRulesStillDenyTogether() {
    assertThat(each.ask("quota=1", "other-quota=1")).isEqualTo("OK: OK/0 OK/2");
    assertThat(each.ask("quota=1", "other-quota=1")).isEqualTo("OK: OVER/0 OK/1");
    assertThat(each.ask("quota=1", "other-quota=1")).isEqualTo("OK: OVER/0 OK/0");
    assertThat(each.ask("quota=1", "other-quota=1")).isEqualTo("OVER: OVER/0 OVER/0");
  }
}
