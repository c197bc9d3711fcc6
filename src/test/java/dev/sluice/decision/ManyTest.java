package dev.sluice.decision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many rules, and many descriptors. How long they take is in the README. */
class ManyTest {
  private static final int RULES = 20_000;
  private static final int DESCRIPTORS = 10_000;

  @Test
  void everyOneOfManyRulesIsFound() {
    Deciding deciding =
        Deciding.by(
            IntStream.range(0, RULES)
                .mapToObj(
                    i ->
                        "  - {key: user, value: u%d, rate_limit: {unit: day, requests_per_unit: %d}}"
                            .formatted(i, i + 1))
                .collect(Collectors.joining("\n")));

    for (int i = 0; i < RULES; i += 997) {
      assertThat(deciding.ask("user=u" + i)).isEqualTo("OK: OK/" + i);
    }
    assertThat(deciding.ask("user=u" + RULES)).isEqualTo("OK: OK/-");
  }

  @Test
  void tenThousandDescriptorsAreDecidedAsOneGroup() {
    Deciding deciding =
        Deciding.by(
            """
              - {key: k, rate_limit: {unit: day, requests_per_unit: 1}}
              - {key: base, rate_limit: {name: base, unit: day, requests_per_unit: 1}}
              - {key: swap, rate_limit: {unlimited: true, replaces: [{name: base}]}}
            """);
    List<String> descriptors =
        IntStream.range(0, DESCRIPTORS).mapToObj(i -> "k=" + i).collect(Collectors.toList());
    descriptors.set(DESCRIPTORS - 1, "k=0");

    assertThat(deciding.ask(descriptors.toArray(String[]::new)))
        .startsWith("OVER: OK/1 ")
        .endsWith(" OK/1 OVER/0");
    assertThat(deciding.ask("k=7")).as("nothing was taken").isEqualTo("OK: OK/0");

    descriptors.replaceAll(it -> "base=x");
    descriptors.set(DESCRIPTORS / 2, "swap=x");
    assertThat(deciding.ask(descriptors.toArray(String[]::new))).startsWith("OK: OK/- OK/- ");
  }
}
