package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
class ExplainTest {
  @TempDir private Path home;

  @BeforeEach
  void writeRules() throws IOException {
    Files.writeString(
        home.resolve("api.yaml"),
        """
        domain: api
        descriptors:
          - key: plan
            value: free
            descriptors:
              - key: api_key
                rate_limit: {unit: minute, requests_per_unit: 60, name: per-key, burst: 10, debt: 5}
          - {key: path, value: /a/*, share_threshold: true, rate_limit: {unit: day, requests_per_unit: 5, on_backend_failure: deny}}
          - {key: path, value: /health}
          - key: page
            value_to_metric: true
            quota_mode: true
            shadow_mode: true
            rate_limit: {unit: hour, requests_per_unit: 4, post_paid: true, replaces: [{name: per-key}]}
          - {key: blocked, rate_limit: {unit: day, requests_per_unit: 0}}
          - {key: open, rate_limit: {unlimited: true, replaces: [{name: per-key}]}}
        """);
  }

  @Test
  void aRuleThatIsFoundIsSaidWithAllThatItMeans() {
    CommandLineCase outcome = explain("plan=free,api_key=k1");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .containsExactly(
            "descriptor 1",
            "  level 1   plan=free: exact value",
            "  level 2   api_key=k1: every value of api_key",
            "  rule      api.plan=free.api_key",
            "  name      per-key",
            "  limit     60 per minute",
            "  burst     10",
            "  debt      5",
            "  bucket    rl:api|plan=free,api_key=k1",
            "  failure   local",
            "  metrics   api.plan_free.api_key");
  }

  @Test
  void aPatternSaysWhichOneAndWhichBucketItShares() {
    assertThat(explain("path=/a/1").out())
        .contains(
            "  level 1   path=/a/1: pattern path=/a/*",
            "  bucket    rl:api|path=/a/*",
            "  failure   deny",
            "  metrics   api.path_/a/*");
  }

  @Test
  void flagsAndReplacementsAreSaid() {
    assertThat(explain("page=big").out())
        .contains(
            "  flags     shadow_mode, quota_mode, post_paid: true",
            "  replaces  per-key",
            "  metrics   api.page_big");
  }

  @Test
  void aRuleThatIsReplacedSaysByWhich() {
    CommandLineCase outcome = explain("plan=free,api_key=k1", "page=big", "open=x");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .filteredOn(line -> line.startsWith("descriptor") || line.startsWith("  replaced"))
        .containsExactly(
            "descriptor 1",
            "  replaced  does not hold in this request, because of descriptor 2, 3",
            "descriptor 2",
            "descriptor 3");
  }

  @Test
  void rulesWithoutABucketSaySo() {
    assertThat(explain("blocked=x", "open=x").out())
        .contains("  limit     0 per day: nothing passes", "  limit     none: everything passes")
        .noneMatch(line -> line.startsWith("  bucket"));
  }

  @Test
  void anUnknownKeyIsSaidWithANearOne() {
    CommandLineCase outcome = explain("pln=free");

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out())
        .containsExactly(
            "descriptor 1",
            "  level 1   pln=free: no rule for the key 'pln', did you mean 'plan'?"
                + " (expected blocked, open, page, path, plan)");
  }

  @Test
  void anUnknownValueIsSaidWithANearOne() {
    assertThat(explain("plan=fre,api_key=k1").out())
        .containsExactly(
            "descriptor 1",
            "  level 1   plan=fre: no rule for the value 'fre', did you mean 'free'?"
                + " (expected free)");
    assertThat(explain("path=/b").out())
        .contains("  level 1   path=/b: no rule for the value '/b' (expected /a/*, /health)");
  }

  @Test
  void aPathThatIsTooShortTooLongOrExemptIsSaid() {
    assertThat(explain("plan=free").out())
        .last()
        .isEqualTo(
            "  no rule   this has no rate_limit, rules go on below it"
                + " (expected one more entry: api_key)");
    assertThat(explain("page=a,more=b").out())
        .last()
        .isEqualTo("  level 2   more=b: no rule goes as deep (expected fewer entries)");
    assertThat(explain("path=/health").out())
        .last()
        .isEqualTo("  no rule   this has no rate_limit, so it is exempt");
  }

  @Test
  void oneDescriptorWithoutARuleIsAFailure() {
    assertThat(explain("page=a", "nothing=b").code()).isEqualTo(1);
  }

  @Test
  void aValueMayHaveEqualsSignsAndCommas() {
    CommandLineCase outcome = explain("page=a=b\\,c=d,rest=");

    assertThat(outcome.out()).contains("  level 1   page=a=b,c=d: every value of page");
    assertThat(outcome.out()).anyMatch(line -> line.startsWith("  level 2   rest: "));
  }

  @Test
  void anUnknownDomainIsSaidWithANearOne() {
    CommandLineCase outcome =
        run("explain", home.toString(), "--domain", "apu", "--descriptor", "a=b");

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out()).containsExactly("domain 'apu' has no rules, did you mean 'api'?");
  }

  @Test
  void anotherKeyPrefixIsPartOfTheBucket() {
    CommandLineCase outcome =
        run(
            "explain",
            home.toString(),
            "--domain=api",
            "--descriptor=page=a",
            "--key-prefix=mine:");

    assertThat(outcome.out()).contains("  bucket    mine:api|page=a");
  }

  @Test
  void theReadmeShowsWhatIsSaid() throws IOException {
    String start = "$ bin/sluice ";
    List<String> shown =
        Files.readAllLines(Path.of("README.md")).stream()
            .dropWhile(line -> !line.startsWith(start + "explain"))
            .takeWhile(line -> !line.equals("```"))
            .toList();
    String[] arguments = shown.get(0).substring(start.length()).split(" ", -1);

    assertThat(run(arguments).out()).isEqualTo(shown.subList(1, shown.size()));
  }

  @Test
  void badRulesAreSaidInstead() throws IOException {
    Files.writeString(home.resolve("bad.yaml"), "domain: bad\nlimits: []\n");

    CommandLineCase outcome = explain("page=a");

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out()).first().asString().contains("bad.yaml:2:1: unknown key 'limits'");
  }

  @Test
  void whatIsNoDescriptorIsAWrongCall() {
    for (String text : List.of("", "page", "=a", "page=a,", "page=a,,b=c")) {
      CommandLineCase outcome = explain(text);

      assertThat(outcome.code()).as(text).isEqualTo(2);
      assertThat(outcome.err())
          .first()
          .asString()
          .contains("is no entry of a descriptor (expected key=value)");
    }
  }

  @Test
  void aMissingDomainOrDescriptorIsAWrongCall() {
    assertThat(run("explain", home.toString(), "--domain", "api").code()).isEqualTo(2);
    assertThat(run("explain", home.toString(), "--descriptor", "a=b").code()).isEqualTo(2);
    assertThat(run("explain", "--domain", "api", "--descriptor", "a=b").code()).isEqualTo(2);
  }

  private CommandLineCase explain(String... descriptors) {
    List<String> arguments =
        new ArrayList<>(List.of("explain", home.toString(), "--domain", "api"));
    Stream.of(descriptors).forEach(it -> arguments.addAll(List.of("--descriptor", it)));
    return run(arguments.toArray(String[]::new));
  }

  private static CommandLineCase run(String... arguments) {
    return CommandLineCase.run((directory, untilWarm) -> {}, arguments);
  }
}
