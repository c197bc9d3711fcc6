package dev.sluice.rulefile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rulefile.Loading.Rejected;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every file in rules/bad is wrong in one way, and says so: {@code # expect: 3:5: text of a
 * problem}, a line for each. To add a case, add a file.
 */
class BadRuleFilesTest {
  static Stream<RuleFileCase> files() {
    return RuleFileCase.in("bad");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void aBadFileIsRefusedForWhatItSays(RuleFileCase file) {
    List<String> expected =
        file.says("expect").stream().map(problem -> file.name() + ":" + problem).toList();

    assertThat(expected).as("what the file says").isNotEmpty();
    assertThat(file.read()).isInstanceOf(Rejected.class);
    assertThat(((Rejected) file.read()).problems())
        .extracting(Problem::toString)
        .containsExactlyElementsOf(expected);
  }
}
