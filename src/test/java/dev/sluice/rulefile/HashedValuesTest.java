package dev.sluice.rulefile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rule.Entry;
import dev.sluice.rule.Match;
import dev.sluice.rule.RuleBook;
import dev.sluice.rule.RuleListing;
import dev.sluice.rule.ValueHash;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What rules with {@code hash_value} tell of values, and what they do not. */
class HashedValuesTest {
  private static final String SECRET = "s3cr3t";
  private static final String LIMIT = "rate_limit: {unit: day, requests_per_unit: 2}";
  private static final ValueHash HASH = ValueHash.with("pepper");

  private final RuleBook rules =
      rules(
          "{key: token, hash_value: true, " + LIMIT + "}",
          "{key: token, value: 's3cr3t of the file', hash_value: true, " + LIMIT + "}",
          "{key: token, value: 'any-*', hash_value: true, share_threshold: true, " + LIMIT + "}",
          "{key: detailed, hash_value: true, detailed_metric: true, " + LIMIT + "}",
          "{key: metric, hash_value: true, value_to_metric: true, descriptors: [{key: b, "
              + LIMIT
              + "}]}",
          "{key: 'x-*', hash_value: true, " + LIMIT + "}",
          "{key: 'y-*', value: s3cr3t-y, hash_value: true, " + LIMIT + "}",
          "{key: open, " + LIMIT + "}");

  private static RuleBook rules(String... descriptors) {
    Loading loading = read("domain: d\ndescriptors: [" + String.join(",\n", descriptors) + "]\n");
    assertThat(loading).isInstanceOf(Loading.Loaded.class);
    return ((Loading.Loaded) loading).rules();
  }

  private static Loading read(String... files) {
    List<RuleText> texts =
        Stream.of(files)
            .<RuleText>map(
                it -> new RuleText.Read(it.hashCode() + ".yaml", StandardCharsets.UTF_8.encode(it)))
            .toList();
    return RuleFiles.read("rules", texts, new RuleOptions(true, RuleOptions.Policy.STRICT, HASH));
  }

  private static Entry hashed(String key, String value) {
    return new Entry(key, HASH.of("d", key, value));
  }

  private Match.Found found(Entry... entries) {
    Match match = rules.find("d", List.of(entries));
    assertThat(match).isInstanceOf(Match.Found.class);
    return (Match.Found) match;
  }

  @Test
  void aBucketIsNamedByTheHash() {
    assertThat(found(new Entry("token", SECRET)).bucketEntries())
        .containsExactly(hashed("token", SECRET));
    assertThat(found(new Entry("x-api-key", SECRET)).bucketEntries())
        .containsExactly(hashed("x-api-key", SECRET));
    assertThat(found(new Entry("open", SECRET)).bucketEntries())
        .containsExactly(new Entry("open", SECRET));
  }

  @Test
  void whatSharesABucketIsNamedByThePattern() {
    assertThat(found(new Entry("token", "any-s3cr3t")).bucketEntries())
        .containsExactly(new Entry("token", "any-*"));
  }

  @Test
  void rulesAreFoundByTheValueItself() {
    assertThat(found(new Entry("token", "s3cr3t of the file")).rule().id())
        .isEqualTo("d.token=" + HASH.of("d", "token", "s3cr3t of the file"));
  }

  @Test
  void metricsAreNamedByTheHash() {
    assertThat(found(new Entry("detailed", SECRET)).label())
        .containsExactly("detailed_" + HASH.of("d", "detailed", SECRET));
    assertThat(found(new Entry("metric", SECRET), new Entry("b", "1")).label())
        .containsExactly("metric_" + HASH.of("d", "metric", SECRET), "b");
  }

  @Test
  void whatFindsNoRuleIsNotToldEither() {
    List<Entry> entries = List.of(new Entry("token", SECRET), new Entry("unknown", "v"));

    assertThat(rules.find("d", entries)).isInstanceOf(Match.NoRule.class);
    assertThat(rules.told("d", entries))
        .containsExactly(hashed("token", SECRET), new Entry("unknown", "v"));
  }

  @Test
  void nothingThatIsToldContainsAValue() {
    List<List<Entry>> queries =
        List.of(
            List.of(new Entry("token", SECRET)),
            List.of(new Entry("token", "s3cr3t of the file")),
            List.of(new Entry("token", "any-s3cr3t")),
            List.of(new Entry("token", SECRET), new Entry("open", "1")),
            List.of(new Entry("detailed", SECRET)),
            List.of(new Entry("metric", SECRET), new Entry("b", "1")),
            List.of(new Entry("metric", SECRET), new Entry("c", "1")),
            List.of(new Entry("y-1", "s3cr3t-y")),
            List.of(new Entry("y-1", "other s3cr3t")),
            List.of(new Entry("x-1", SECRET)));

    assertThat(queries)
        .allSatisfy(
            query -> {
              assertThat(rules.find("d", query).toString()).doesNotContain(SECRET);
              assertThat(rules.trace("d", query).toString()).doesNotContain(SECRET);
              assertThat(rules.told("d", query).toString()).doesNotContain(SECRET);
            });
    assertThat(RuleListing.of(rules)).contains("d.token_#").doesNotContain(SECRET);
  }

  @Test
  void anExampleForPeopleIsMadeOfOpenValues() {
    assertThat(rules("{key: token, value: s3cr3t, hash_value: true, " + LIMIT + "}").sample("d"))
        .isEmpty();
  }

  @Test
  void aKeyIsHiddenInEveryFileOfItsDomainOrInNone() {
    Loading loading =
        read(
            "domain: d\ndescriptors: [{key: token, hash_value: true, " + LIMIT + "}]\n",
            "domain: d\ndescriptors: [{key: a, descriptors: [{key: token, " + LIMIT + "}]}]\n",
            "domain: e\ndescriptors: [{key: token, " + LIMIT + "}]\n");

    assertThat(loading).isInstanceOf(Loading.Rejected.class);
    assertThat(((Loading.Rejected) loading).problems())
        .singleElement()
        .extracting(Problem::text)
        .asString()
        .contains("the values of 'token' are hidden by hash_value at", ":2:15 and not here");
  }

  @Test
  void problemsAndWarningsTellNoValueEither() {
    Loading loading =
        read(
            "domain: d\ndescriptors:\n"
                + "- {key: t, value: s3cr3t, hash_value: true, share_threshold: true, "
                + LIMIT
                + "}\n- {key: t, value: s3cr3t, hash_value: true, rate_limit: {unit: hour,"
                + " requests_per_unit: 2}}\n");

    assertThat(((Loading.Rejected) loading).problems())
        .hasSize(2)
        .allSatisfy(problem -> assertThat(problem.toString()).contains("#").doesNotContain(SECRET));
  }
}
