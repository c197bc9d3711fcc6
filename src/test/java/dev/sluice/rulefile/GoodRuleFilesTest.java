package dev.sluice.rulefile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rule.Entry;
import dev.sluice.rule.Match;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import dev.sluice.rule.RuleBook;
import dev.sluice.rulefile.Loading.Loaded;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every file in rules/good is odd in one way, and right. It says what descriptors find in it:
 * {@code # find: domain key=value / key=value -> rule}, and what it is warned of: {@code # warn:
 * 3:5: text}. To add a case, add a file.
 */
class GoodRuleFilesTest {
  static Stream<RuleFileCase> files() {
    return RuleFileCase.in("good");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void aGoodFileHasTheRulesThatItSays(RuleFileCase file) {
    assertThat(file.read()).isInstanceOf(Loaded.class);
    RuleBook rules = ((Loaded) file.read()).rules();

    assertThat(file.says("find")).as("what the file says").isNotEmpty();
    assertThat(file.read().warnings())
        .extracting(Warning::toString)
        .containsExactlyElementsOf(
            file.says("warn").stream().map(it -> file.name() + ":" + it).toList());
    assertThat(file.says("find"))
        .allSatisfy(line -> assertThat(found(rules, line)).isEqualTo(line));
  }

  private static String found(RuleBook rules, String line) {
    String query = line.substring(0, line.indexOf(" -> "));
    String domain = query.substring(0, query.indexOf(' '));
    List<Entry> entries =
        Stream.of(query.substring(domain.length() + 1).split(" / ", -1))
            .map(GoodRuleFilesTest::entry)
            .toList();
    return query + " -> " + describe(rules.find(domain, entries), entries);
  }

  private static Entry entry(String text) {
    int equals = text.indexOf('=');
    return new Entry(text.substring(0, equals), text.substring(equals + 1));
  }

  private static String describe(Match match, List<Entry> entries) {
    if (!(match instanceof Match.Found found)) {
      return match instanceof Match.NoRule ? "no rule" : "unknown domain";
    }
    Rule rule = found.rule();
    String bucket =
        found.bucketEntries().stream()
            .map(it -> it.key() + "=" + it.value())
            .collect(Collectors.joining(" / "));
    return rule.id()
        + ": "
        + describe(rule.rateLimit())
        + (rule.conduct().shadow() ? ", shadow" : "")
        + (rule.conduct().quota() ? ", quota" : "")
        + (rule.name().isEmpty() ? "" : ", called " + rule.name())
        + (rule.conduct().payment() == Rule.Payment.AS_SENT ? "" : ", " + rule.conduct().payment())
        + (rule.conduct().terms().leasable() ? "" : ", never leased")
        + (rule.replaces().isEmpty() ? "" : ", replaces " + new TreeSet<>(rule.replaces()))
        + (rule.metadata().isEmpty() ? "" : ", says " + rule.metadata().values())
        + (found.label().equals(rule.label().levels()) ? "" : ", metrics " + found.label())
        + (found.bucketEntries().equals(entries) ? "" : ", bucket " + bucket);
  }

  private static String describe(RateLimit limit) {
    if (limit instanceof RateLimit.Limited limited) {
      return limited.limit().toString();
    }
    return limit instanceof RateLimit.Blocked blocked
        ? "nothing per " + blocked.period()
        : "everything";
  }
}
