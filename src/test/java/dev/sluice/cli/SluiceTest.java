package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
class SluiceTest {
  @TempDir private Path home;
  private final List<Optional<Path>> started = new ArrayList<>();

  @Test
  void goodRulesAreCounted() throws IOException {
    write("b.yaml", "domain: bb\n");
    write(
        "a.yaml",
        "domain: aa\ndescriptors: [{key: k, rate_limit: {unit: day, requests_per_unit: 1}}]\n");

    CommandLineCase outcome = run("check", home.toString());

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .containsExactly("domain aa: 1 rule", "domain bb: 0 rules", "all rule files are good");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void everyProblemOfBadRulesIsALine() throws IOException {
    write("a.yaml", "domain: aa\nlimits: []\n");
    write("b.yaml", "domain: bb\n");
    write("c.yaml", "domain: aa\n");

    CommandLineCase outcome = run("check", home.toString());

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out())
        .containsExactly(
            home.resolve("a.yaml")
                + ":2:1: unknown key 'limits' (expected one of descriptors, domain, on_backend_failure, slot_by)",
            home.resolve("c.yaml")
                + ":1:9: domain 'aa' is already defined at "
                + home.resolve("a.yaml")
                + ":1:9 (expected one file for each domain)",
            "2 problems");
  }

  @Test
  void domainsAreMergedWhereThatIsAskedFor() throws IOException {
    write("a.yaml", "domain: aa\ndescriptors: [{key: a}]\n");
    write("b.yaml", "domain: aa\ndescriptors: [{key: b}]\n");
    String directory = home.toString();

    assertThat(run("check", directory).code()).isEqualTo(1);
    assertThat(run("check", directory, "--merge-domain-configs").code()).isZero();
    assertThat(run("check", "--merge-domain-configs", directory).code()).isZero();
    assertThat(run("check", "-config_dir", directory, "-merge_domain_configs").code()).isZero();
    assertThat(run("check", "-config_dir=" + directory, "-merge_domain_configs=false").code())
        .isEqualTo(1);
    assertThat(run("check", directory, "--merge-domain-configs=perhaps").code()).isEqualTo(2);
  }

  @Test
  void aDirectoryThatIsGivenTwiceIsAWrongCall() {
    CommandLineCase outcome = run("check", "config", "-config_dir", "config");

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err())
        .first()
        .isEqualTo("DIR is given twice (expected one directory of rule files)");
  }

  @Test
  void aWarningIsALineAndRefusesNothing() throws IOException {
    write("a.yaml", "domain: aa\ndescriptors: [{key: k, shadow_mode: true}]\n");

    CommandLineCase outcome = run("check", home.toString());

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .containsExactly(
            home.resolve("a.yaml")
                + ":2:37: warning: shadow_mode has no effect without a rate_limit beside it",
            "domain aa: 0 rules",
            "all rule files are good");
  }

  @Test
  void warningsOfGoodDomainsAreSaidBesideTheProblemsOfOthers() throws IOException {
    write("a.yaml", "domain: aa\ndescriptors: [{key: k, shadow_mode: true}]\n");
    write("b.yaml", "domain: bb\ndescriptors: [{key: k, quota_mode: true}]\nlimits: []\n");

    CommandLineCase outcome = run("check", home.toString());

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out())
        .containsExactly(
            home.resolve("a.yaml")
                + ":2:37: warning: shadow_mode has no effect without a rate_limit beside it",
            home.resolve("b.yaml")
                + ":3:1: unknown key 'limits' (expected one of descriptors, domain, on_backend_failure, slot_by)",
            "1 problem");
  }

  @Test
  void anEmptyDirectoryIsAProblem() {
    CommandLineCase outcome = run("check", home.toString());

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out())
        .containsExactly(
            home + ":1:1: there are no rule files (expected at least one *.yaml or *.yml)",
            "1 problem");
  }

  @Test
  void aDirectoryThatDoesNotExistIsAWrongCall() {
    Path nowhere = home.resolve("nowhere");

    CommandLineCase outcome = run("check", nowhere.toString());

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("DIR is '" + nowhere + "' (expected a directory of rule files)");
  }

  @Test
  void aFileInsteadOfADirectoryIsAWrongCall() throws IOException {
    write("a.yaml", "domain: aa\n");

    assertThat(run("check", home.resolve("a.yaml").toString()).code()).isEqualTo(2);
  }

  @Test
  void theRulesThatAreShippedAreGood() {
    CommandLineCase outcome = run("check", "config");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).last().isEqualTo("all rule files are good");
  }

  @Test
  void aMissingDirectoryIsAWrongCall() {
    CommandLineCase outcome = run("check");

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).first().isEqualTo("Missing required parameter: 'DIR'");
  }

  @Test
  void twoDirectoriesAreAWrongCall() {
    assertThat(run("check", "config", "config").code()).isEqualTo(2);
  }

  @Test
  void anUnknownCommandIsAWrongCall() {
    CommandLineCase outcome = run("chek");

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).first().asString().contains("'chek'");
    assertThat(outcome.err()).anyMatch(line -> line.contains("check"));
    assertThat(started).isEmpty();
  }

  @Test
  void noCommandIsAWrongCall() {
    CommandLineCase outcome = run();

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).first().isEqualTo("Missing command");
    assertThat(outcome.err()).anyMatch(line -> line.startsWith("Usage: sluice"));
  }

  @Test
  void helpNamesEveryCommand() {
    CommandLineCase outcome = run("--help");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).anyMatch(line -> line.strip().startsWith("serve "));
    assertThat(outcome.out()).anyMatch(line -> line.strip().startsWith("check "));
    assertThat(outcome.out()).anyMatch(line -> line.strip().startsWith("explain "));
  }

  @Test
  void helpOfACommandNamesItsParameters() {
    CommandLineCase outcome = run("check", "--help");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).anyMatch(line -> line.strip().startsWith("[DIR] "));
  }

  @Test
  void theVersionIsSaid() {
    CommandLineCase outcome = run("--version");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).singleElement().asString().matches("sluice [^$]+");
  }

  @Test
  void serveStartsTheServerWithTheDirectoryThatItIsGiven() {
    assertThat(run("serve", "rules").code()).isZero();
    assertThat(run("serve").code()).isZero();

    assertThat(started).containsExactly(Optional.of(Path.of("rules")), Optional.empty());
  }

  @Test
  void aServerThatCannotStartIsAFailure() {
    CommandLineCase outcome =
        CommandLineCase.run(
            (directory, untilWarm) -> {
              throw new IllegalStateException("PORT is 'x' (expected a whole number)");
            },
            "serve");

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err()).containsExactly("sluice: PORT is 'x' (expected a whole number)");
  }

  private CommandLineCase run(String... arguments) {
    return CommandLineCase.run((directory, untilWarm) -> started.add(directory), arguments);
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(home.resolve(name), content);
  }
}
