package dev.sluice.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.RuleFiles;
import dev.sluice.rulefile.RuleOptions;
import dev.sluice.rulefile.RuleText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules that say the same have the same fingerprint, and no others do. */
final class FingerprintTest {
  private static final String DAY = "rate_limit: {unit: day, requests_per_unit: 5}";
  private static final String SECOND = "rate_limit: {unit: second, requests_per_unit: 5}";

  private static String of(String descriptors) {
    String text = "domain: d\ndescriptors: [" + descriptors + "]\n";
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    Loading loading =
        RuleFiles.read("rules", List.of(new RuleText.Read("d.yaml", bytes)), RuleOptions.STRICT);
    assertThat(loading).isInstanceOf(Loading.Loaded.class);
    return Fingerprint.of(((Loading.Loaded) loading).rules());
  }

  @Test
  void theOrderOfWhatARuleReplacesDoesNotMatter() {
    String rule = "{key: a, rate_limit: {unit: day, requests_per_unit: 5, replaces: [%s]}}";

    assertThat(of(String.format(rule, "{name: x}, {name: y}, {name: z}")))
        .isEqualTo(of(String.format(rule, "{name: z}, {name: y}, {name: x}")));
  }

  @Test
  void theOrderOfExactValuesDoesNotMatter() {
    assertThat(of("{key: a, value: b, " + DAY + "}, {key: a, value: c, " + SECOND + "}"))
        .isEqualTo(of("{key: a, value: c, " + SECOND + "}, {key: a, value: b, " + DAY + "}"));
  }

  @Test
  void theOrderOfPatternsMatters() {
    assertThat(of("{key: a, value: b*, " + DAY + "}, {key: a, value: '*c', " + SECOND + "}"))
        .isNotEqualTo(
            of("{key: a, value: '*c', " + SECOND + "}, {key: a, value: b*, " + DAY + "}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{key: a, value: b*, rate_limit: {unit: day, requests_per_unit: 6}}",
        "{key: a, value: b*, rate_limit: {unit: hour, requests_per_unit: 5}}",
        "{key: a, value: b*, rate_limit: {unit: day, requests_per_unit: 5, burst: 4}}",
        "{key: a, value: b*, rate_limit: {unit: day, requests_per_unit: 5, name: n}}",
        "{key: a, value: b*, shadow_mode: true, rate_limit: {unit: day, requests_per_unit: 5}}",
        "{key: a, value: b*, share_threshold: true,"
            + " rate_limit: {unit: day, requests_per_unit: 5}}",
        "{key: a, value: b*, detailed_metric: true,"
            + " rate_limit: {unit: day, requests_per_unit: 5}}",
        "{key: a, value: b*, value_to_metric: true,"
            + " rate_limit: {unit: day, requests_per_unit: 5}}",
        "{key: a, value: c*, rate_limit: {unit: day, requests_per_unit: 5}}",
        "{key: a, value: b*, rate_limit: {unit: day, requests_per_unit: 5}}, {key: a, value: b}",
      })
  void whateverChangesADecisionOrASeriesChangesIt(String other) {
    assertThat(of(other)).isNotEqualTo(of("{key: a, value: b*, " + DAY + "}"));
  }
}
