package dev.sluice.rulefile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rulefile.Loading.Loaded;
import dev.sluice.rulefile.Loading.Rejected;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RuleFilesTest {
  @Test
  void severalFilesAreOneSet() {
    Loading loading = read(file("a.yaml", "domain: one"), file("b.yaml", "domain: two"));

    assertThat(loading).isInstanceOf(Loaded.class);
    assertThat(((Loaded) loading).rules().domains()).containsExactly("one", "two");
  }

  @Test
  void theProblemsOfAllFilesAreReportedTogetherAndNothingIsTaken() {
    Loading loading =
        read(
            file("a.yaml", "domain: one\nlimits: []\n"),
            file("b.yaml", "domain: two\n"),
            file("c.yaml", "domain: [\n"),
            new RuleText.Unreadable("d.yaml", "it is on fire"));

    assertThat(problems(loading))
        .containsExactly(
            "a.yaml:2:1: unknown key 'limits' (expected one of descriptors, domain, on_backend_failure, slot_by)",
            "c.yaml:2:1: not valid YAML: expected the node content, but found '<stream end>' while"
                + " parsing a flow node (expected closing brackets and braces in their order)",
            "d.yaml:1:1: the file cannot be read: it is on fire (expected a readable file)");
  }

  @Test
  void aDomainInTwoFilesIsAProblemOfTheSecond() {
    Loading loading =
        read(file("a.yaml", "domain: api\n"), file("b.yaml", "descriptors: []\ndomain: api\n"));

    assertThat(problems(loading))
        .containsExactly(
            "b.yaml:2:9: domain 'api' is already defined at a.yaml:1:9"
                + " (expected one file for each domain)");
  }

  @Test
  void domainsDifferByCase() {
    assertThat(read(file("a.yaml", "domain: api"), file("b.yaml", "domain: API")))
        .isInstanceOf(Loaded.class);
  }

  @Test
  void noFilesAtAllAreAProblem() {
    assertThat(problems(read()))
        .containsExactly(
            "rules:1:1: there are no rule files (expected at least one *.yaml or *.yml)");
  }

  @Test
  void tooManyAliasesAreAProblemAndNotACrash() {
    String aliases =
        IntStream.range(0, 100_001).mapToObj(i -> "*all").collect(Collectors.joining(", "));

    assertThat(problems(read(file("a.yaml", "domain: &all []\ndescriptors: [" + aliases + "]"))))
        .singleElement()
        .asString()
        .startsWith("a.yaml:1:1: Number of aliases for non-scalar nodes exceeds");
  }

  @Test
  void textInAMessageStaysOnOneLine() {
    assertThat(problems(read(file("a.yaml", "domain: api\n\"a\\nb\\e[31m\": c\n"))))
        .containsExactly(
            "a.yaml:2:1: unknown key 'a\\x0Ab\\x1B[31m' (expected one of descriptors, domain, on_backend_failure, slot_by)");
  }

  private static Loading read(RuleText... texts) {
    return RuleFiles.read("rules", List.of(texts), RuleOptions.STRICT);
  }

  private static RuleText file(String name, String content) {
    return new RuleText.Read(name, ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> problems(Loading loading) {
    assertThat(loading).isInstanceOf(Rejected.class);
    return ((Rejected) loading).problems().stream().map(Problem::toString).toList();
  }
}
