package dev.sluice.rulefile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rule.RuleBook;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A problem in one domain leaves the others alone, where that is asked for. */
class IsolatedDomainsTest {
  private static final String BROKEN = "domain: [";

  private final RecordingRuleObserver told = new RecordingRuleObserver();
  private final Map<String, String> files = new TreeMap<>();
  private RulesInForce rules =
      new RulesInForce(new RuleOptions(false, RuleOptions.Policy.ISOLATE), told);

  @Test
  void goodFilesAreAWholeSet() {
    file("a", OneLimit.file("aa", 1));
    file("b", OneLimit.file("bb", 1));

    assertThat(offer()).isInstanceOf(Loading.Loaded.class);
    assertThat(inForce().domains()).containsExactly("aa", "bb");
  }

  @Test
  void aDomainWithAProblemKeepsWhatItHadAndTheOthersAreUpdated() {
    file("a", OneLimit.file("aa", 1));
    file("b", OneLimit.file("bb", 1));
    offer();
    file("a", OneLimit.file("aa", 2) + "limits: []\n");
    file("b", OneLimit.file("bb", 2));
    file("c", OneLimit.file("cc", 2));
    offer();

    assertThat(limitOf("aa")).isEqualTo(1);
    assertThat(limitOf("bb")).isEqualTo(2);
    assertThat(limitOf("cc")).isEqualTo(2);
    assertThat(told.isolated).hasSize(1);
    assertThat(told.isolated.get(0).kept()).containsExactly("aa");
    assertThat(told.isolated.get(0).absent()).isEmpty();
    assertThat(told.isolated.get(0).problems())
        .extracting(Problem::text)
        .containsExactly(
            "unknown key 'limits' (expected one of descriptors, domain, on_backend_failure, slot_by)");
  }

  @Test
  void aDomainThatIsMendedIsUpdatedAtLast() {
    file("a", OneLimit.file("aa", 1));
    file("b", OneLimit.file("bb", 1));
    offer();
    file("a", OneLimit.file("aa", 2) + "limits: []\n");
    offer();
    offer();
    file("a", OneLimit.file("aa", 3));

    assertThat(offer()).isInstanceOf(Loading.Loaded.class);
    assertThat(limitOf("aa")).isEqualTo(3);
  }

  @Test
  void aFileThatCannotBeReadKeepsTheDomainThatItHad() {
    file("a", OneLimit.file("aa", 1));
    file("b", OneLimit.file("bb", 1));
    offer();
    file("a", BROKEN);
    file("b", OneLimit.file("bb", 2));
    offer();
    file("b", OneLimit.file("bb", 3));
    offer();

    assertThat(limitOf("aa")).isEqualTo(1);
    assertThat(limitOf("bb")).isEqualTo(3);
    assertThat(told.isolated.get(1).kept()).containsExactly("aa");
  }

  @Test
  void aFileThatIsRenamedToAnotherDomainAndWrongKeepsTheOneThatItHad() {
    file("a", OneLimit.file("aa", 1));
    file("b", OneLimit.file("bb", 1));
    offer();
    file("a", OneLimit.file("new", 2) + "limits: []\n");
    offer();

    assertThat(inForce().domains()).containsExactly("aa", "bb");
    assertThat(told.isolated.get(0).kept()).containsExactly("aa");
    assertThat(told.isolated.get(0).absent()).containsExactly("new");
  }

  @Test
  void aFileThatIsDeletedTakesItsDomainAlongAlsoIfItWasWrong() {
    file("a", OneLimit.file("aa", 1));
    file("b", OneLimit.file("bb", 1));
    offer();
    file("a", BROKEN);
    offer();
    files.remove("a");
    offer();

    assertThat(inForce().domains()).containsExactly("bb");
  }

  @Test
  void aDomainThatIsWrongFromTheStartIsAbsent() {
    file("a", BROKEN);
    file("b", OneLimit.file("bb", 1) + "limits: []\n");
    file("c", OneLimit.file("cc", 1));
    offer();

    assertThat(inForce().domains()).containsExactly("cc");
    assertThat(told.isolated.get(0).absent()).containsExactly("bb");
    assertThat(told.isolated.get(0).problems()).hasSize(2);
  }

  @Test
  void aStartWithoutAnyGoodDomainIsRefusedUntilTheFirstIsGood() {
    file("a", BROKEN);
    assertThat(offer()).isInstanceOf(Loading.Rejected.class);
    assertThat(rules.get()).isEmpty();

    file("b", OneLimit.file("bb", 1));
    assertThat(offer()).isInstanceOf(Loading.Isolated.class);
    assertThat(inForce().domains()).containsExactly("bb");
  }

  @Test
  void whereEverythingIsWrongEverythingIsKept() {
    file("a", OneLimit.file("aa", 1));
    offer();
    file("a", BROKEN);
    offer();
    assertThat(limitOf("aa")).isEqualTo(1);

    files.clear();
    assertThat(offer()).isInstanceOf(Loading.Rejected.class);
    assertThat(limitOf("aa")).isEqualTo(1);
  }

  @Test
  void aDomainInTwoFilesKeepsWhatItHad() {
    file("b", OneLimit.file("aa", 1));
    file("z", OneLimit.file("zz", 1));
    offer();
    file("a", OneLimit.file("aa", 2));
    file("z", OneLimit.file("zz", 2));
    offer();

    assertThat(limitOf("aa")).isEqualTo(1);
    assertThat(limitOf("zz")).isEqualTo(2);
  }

  @Test
  void aDomainOfSeveralFilesIsKeptAsAWhole() {
    rules = new RulesInForce(new RuleOptions(true, RuleOptions.Policy.ISOLATE), told);
    file("a", OneLimit.file("aa", 1));
    file("b", "domain: aa\ndescriptors: [{key: other}]\n");
    offer();
    file("a", OneLimit.file("aa", 2));
    file("b", BROKEN);
    offer();
    assertThat(limitOf("aa")).isEqualTo(1);

    file("b", "domain: aa\n");
    offer();
    assertThat(limitOf("aa")).isEqualTo(2);
  }

  private void file(String name, String text) {
    files.put(name, text);
  }

  private Loading offer() {
    List<RuleText> texts =
        files.entrySet().stream()
            .<RuleText>map(
                it -> new RuleText.Read(it.getKey(), StandardCharsets.UTF_8.encode(it.getValue())))
            .toList();
    return rules.offer("rules", texts);
  }

  private RuleBook inForce() {
    return rules.get().orElseThrow();
  }

  private long limitOf(String domain) {
    return OneLimit.in(inForce(), domain);
  }
}
