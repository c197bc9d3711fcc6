package dev.sluice.decision;

import static dev.sluice.decision.Deciding.descriptor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.rule.RateLimit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A rule takes others out of its request; cases 80 to 83 of the notes on the reference server. */
class ReplacesTest {
  private final Deciding deciding =
      Deciding.by(
          """
            - {key: base, rate_limit: {name: base, unit: day, requests_per_unit: 2}}
            - {key: twin, rate_limit: {name: base, unit: day, requests_per_unit: 2}}
            - {key: zero, rate_limit: {name: base, unit: day, requests_per_unit: 0}}
            - {key: nameless, rate_limit: {unit: day, requests_per_unit: 2}}
            - {key: swap, rate_limit: {unit: day, requests_per_unit: 5, replaces: [{name: base}]}}
            - {key: free, rate_limit: {unlimited: true, replaces: [{name: base}]}}
            - {key: open, rate_limit: {unlimited: true, name: base}}
            - {key: left, rate_limit: {name: left, unit: day, requests_per_unit: 5, replaces: [{name: right}]}}
            - {key: right, rate_limit: {name: right, unit: day, requests_per_unit: 5, replaces: [{name: left}, {name: base}]}}
            - {key: watched, shadow_mode: true, rate_limit: {unit: day, requests_per_unit: 1, replaces: [{name: base}]}}
            - {key: denied, rate_limit: {unit: day, requests_per_unit: 0, replaces: [{name: base}]}}
            - {key: quota, quota_mode: true, rate_limit: {name: quota, unit: day, requests_per_unit: 1}}
            - {key: more, quota_mode: true, rate_limit: {unit: day, requests_per_unit: 3, replaces: [{name: quota}]}}
          """);

  @Test
  void aRuleThatIsReplacedNeitherCountsNorDeniesInWhateverOrder() {
    assertThat(deciding.ask("base=a", "swap=a")).isEqualTo("OK: OK/- OK/4");
    assertThat(deciding.ask("swap=a", "base=a")).isEqualTo("OK: OK/3 OK/-");
    assertThat(deciding.ask("base=a")).isEqualTo("OK: OK/1");
    assertThat(deciding.ask("base=a")).isEqualTo("OK: OK/0");
    assertThat(deciding.ask("base=a", "swap=a")).isEqualTo("OK: OK/- OK/2");
    assertThat(deciding.ask("base=a")).isEqualTo("OVER: OVER/0");
  }

  @Test
  void everyRuleOfThatNameIsReplacedAndNoOther() {
    assertThat(deciding.ask("base=a", "twin=a", "zero=a", "nameless=a", "swap=a"))
        .isEqualTo("OK: OK/- OK/- OK/- OK/1 OK/4");
  }

  @Test
  void aRuleWithoutALimitReplacesAndIsNotReplaced() {
    assertThat(deciding.ask("base=a", "free=a")).isEqualTo("OK: OK/- OK/unlimited");
    assertThat(deciding.ask("open=a", "swap=a")).isEqualTo("OK: OK/unlimited OK/4");
  }

  @Test
  void twoRulesThatReplaceEachOtherBothGo() {
    assertThat(deciding.ask("left=a", "right=a")).isEqualTo("OK: OK/- OK/-");
    assertThat(deciding.ask("left=a")).isEqualTo("OK: OK/4");
  }

  @Test
  void aRuleThatIsReplacedItselfStillReplaces() {
    assertThat(deciding.ask("left=a", "right=a", "base=a")).isEqualTo("OK: OK/- OK/- OK/-");
  }

  @Test
  void aRuleThatIsWatchedOrBlocksReplacesToo() {
    assertThat(deciding.ask("base=a", "watched=a")).isEqualTo("OK: OK/- OK/0");
    assertThat(deciding.ask("base=a", "watched=a")).isEqualTo("OK: OK/- OK/0");
    assertThat(deciding.ask("base=a", "denied=a")).isEqualTo("OVER: OK/- OVER/blocked");
    assertThat(deciding.ask("base=a")).isEqualTo("OK: OK/1");
  }

  @Test
  void aRuleThatIsOverStillReplaces() {
    deciding.decide(List.of(descriptor("swap=a", new Hits.Asked(5))));

    assertThat(deciding.ask("base=a", "swap=a")).isEqualTo("OVER: OK/- OVER/0");
    assertThat(deciding.ask("base=a")).isEqualTo("OK: OK/1");
  }

  @Test
  void aQuotaThatIsReplacedNoLongerCounts() {
    assertThat(deciding.ask("quota=a", "more=a")).isEqualTo("OK: OK/- OK/2");
    deciding.ask("more=a");
    deciding.ask("more=a");
    assertThat(deciding.ask("quota=a", "more=a")).isEqualTo("OVER: OK/- OVER/0");
  }

  @Test
  void onlyRulesOfOneRequestReplaceEachOther() {
    assertThat(deciding.ask("swap=a")).isEqualTo("OK: OK/4");
    assertThat(deciding.ask("base=a")).isEqualTo("OK: OK/1");
  }

  @Test
  void aLimitThatTheRequestBringsIsNotReplacedAndReplacesNothing() {
    RateLimit brought = new RateLimit.Limited(Limit.of(7, Period.DAY));
    Descriptor base = descriptor("base=a", new Hits.Asked(1));
    Descriptor swap = descriptor("swap=a", new Hits.Asked(1));

    assertThat(deciding.decide(List.of(with(base, brought), swap))).isEqualTo("OK: OK/6 OK/4");
    assertThat(
            deciding.decide(List.of(descriptor("base=b", new Hits.Asked(1)), with(swap, brought))))
        .isEqualTo("OK: OK/1 OK/5");
  }

  private static Descriptor with(Descriptor descriptor, RateLimit limit) {
    return new Descriptor(descriptor.entries(), Optional.of(limit), descriptor.hits());
  }
}
