package dev.sluice.decision;

import static dev.sluice.decision.Deciding.descriptor;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Quota rules deny only together; cases 74 to 77 of the notes on the reference server. */
class QuotaTest {
  private static final String RULES =
      """
        - {key: regular, rate_limit: {unit: day, requests_per_unit: 10}}
        - {key: tight, rate_limit: {unit: day, requests_per_unit: 1}}
        - {key: blocked, rate_limit: {unit: day, requests_per_unit: 0}}
        - {key: open, quota_mode: true, rate_limit: {unlimited: true}}
        - {key: quota, quota_mode: true, rate_limit: {unit: day, requests_per_unit: 1}}
        - {key: wide, quota_mode: true, rate_limit: {unit: day, requests_per_unit: 10}}
        - {key: none, quota_mode: true, rate_limit: {unit: day, requests_per_unit: 0}}
        - {key: watched, quota_mode: true, shadow_mode: true, rate_limit: {unit: day, requests_per_unit: 1}}
        - {key: late, quota_mode: true, rate_limit: {unit: day, requests_per_unit: 2}}
      """;

  private final Deciding deciding = Deciding.by(RULES);

  @Test
  void oneQuotaThatIsLeftIsEnough() {
    assertThat(deciding.ask("quota=a", "wide=a")).isEqualTo("OK: OK/0 OK/9");
    assertThat(deciding.ask("quota=a", "wide=a")).isEqualTo("OK: OVER/0 OK/8");
    assertThat(deciding.ask("wide=a", "quota=a")).isEqualTo("OK: OK/7 OVER/0");
  }

  @Test
  void allQuotasThatAreUsedUpDenyAndTakeNothing() {
    deciding.ask("quota=a", "quota=b");

    assertThat(deciding.ask("quota=a", "quota=b")).isEqualTo("OVER: OVER/0 OVER/0");
    assertThat(deciding.ask("quota=a", "quota=b", "regular=a"))
        .isEqualTo("OVER: OVER/0 OVER/0 OK/10");
    assertThat(deciding.ask("regular=a")).isEqualTo("OK: OK/9");
  }

  @Test
  void aRegularRuleDoesNotSaveAQuotaThatIsUsedUp() {
    deciding.ask("quota=a");

    assertThat(deciding.ask("regular=a", "quota=a")).isEqualTo("OVER: OK/10 OVER/0");
    assertThat(deciding.ask("regular=a", "quota=b")).isEqualTo("OK: OK/9 OK/0");
  }

  @Test
  void aQuotaDoesNotSaveARegularRuleThatIsOverAndIsNotTaken() {
    deciding.ask("tight=a");

    assertThat(deciding.ask("tight=a", "quota=a")).isEqualTo("OVER: OVER/0 OK/1");
    assertThat(deciding.ask("quota=a")).isEqualTo("OK: OK/0");
  }

  @Test
  void whatHasNoRuleOrNoLimitIsNoQuota() {
    deciding.ask("quota=a");

    assertThat(deciding.ask("quota=a", "nothing=a")).isEqualTo("OVER: OVER/0 OK/-");
    assertThat(deciding.ask("quota=a", "open=a")).isEqualTo("OVER: OVER/0 OK/unlimited");
    assertThat(deciding.ask("open=a", "nothing=a")).isEqualTo("OK: OK/unlimited OK/-");
  }

  @Test
  void aQuotaThatIsOnlyWatchedCountsAsLeft() {
    deciding.ask("quota=a", "watched=a");

    assertThat(deciding.ask("quota=a", "watched=a")).isEqualTo("OK: OVER/0 OK/0");
    assertThat(deciding.ask("watched=a")).isEqualTo("OK: OK/0");
  }

  @Test
  void aQuotaOfZeroIsAlwaysUsedUp() {
    assertThat(deciding.ask("none=a")).isEqualTo("OVER: OVER/blocked");
    assertThat(deciding.ask("none=a", "wide=a")).isEqualTo("OK: OVER/blocked OK/9");
    assertThat(deciding.ask("none=a", "regular=a")).isEqualTo("OVER: OVER/blocked OK/10");
    assertThat(deciding.ask("wide=a", "blocked=a")).isEqualTo("OVER: OK/9 OVER/blocked");
    assertThat(deciding.ask("wide=a")).isEqualTo("OK: OK/8");
  }

  @Test
  void aZeroQuotaTakesNothingOfARegularRuleWhereTheOtherQuotasAreUsedUp() {
    deciding.ask("quota=a");

    assertThat(deciding.ask("none=a", "quota=a", "regular=a"))
        .isEqualTo("OVER: OVER/blocked OVER/0 OK/10");
    assertThat(deciding.ask("regular=a")).isEqualTo("OK: OK/9");
  }

  @Test
  void aLookAtTwoQuotasFindsTheOneThatIsLeft() {
    List<Descriptor> looks =
        List.of(descriptor("quota=a", new Hits.Looked()), descriptor("late=a", new Hits.Looked()));

    assertThat(deciding.decide(looks)).isEqualTo("OK: OK/1 OK/2");
    report("quota=a");
    assertThat(deciding.decide(looks)).isEqualTo("OK: OVER/0 OK/2");
    report("late=a");
    report("late=a");
    assertThat(deciding.decide(looks)).isEqualTo("OVER: OVER/0 OVER/0");
  }

  private void report(String entries) {
    deciding.decide(List.of(descriptor(entries, new Hits.Reported(1))));
  }

  @Test
  void inQuotaModeEveryRuleIsAQuota() {
    Deciding all = Deciding.inQuotaMode(RULES);
    all.ask("tight=a", "tight=b");

    assertThat(all.ask("tight=a", "tight=b")).isEqualTo("OVER: OVER/0 OVER/0");
    assertThat(all.ask("tight=a", "regular=a")).isEqualTo("OK: OVER/0 OK/9");
    assertThat(all.ask("blocked=a", "regular=a")).isEqualTo("OK: OVER/blocked OK/8");
  }

  @Test
  void inQuotaModeADescriptorWithoutARuleIsAQuotaThatIsLeftAndOneWithoutALimitIsNone() {
    Deciding all = Deciding.inQuotaMode(RULES);
    all.ask("tight=a");

    assertThat(all.ask("nothing=a", "tight=a")).isEqualTo("OK: OK/- OVER/0");
    assertThat(all.ask("open=a", "tight=a")).isEqualTo("OVER: OK/unlimited OVER/0");
  }

  @Test
  void inShadowModeADenialByQuotasPassesAndIsSeen() {
    Deciding shadow = Deciding.inShadowMode(RULES);
    shadow.ask("quota=a", "quota=b");
    assertThat(shadow.lastWasShadowed()).isFalse();

    assertThat(shadow.ask("quota=a", "quota=b")).isEqualTo("OK: OVER/0 OVER/0");
    assertThat(shadow.lastWasShadowed()).isTrue();
    assertThat(shadow.ask("quota=a", "wide=b")).isEqualTo("OK: OVER/0 OK/9");
    assertThat(shadow.lastWasShadowed()).isFalse();
  }
}
