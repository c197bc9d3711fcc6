package dev.sluice.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.decision.Descriptor;
import dev.sluice.decision.Hits;
import dev.sluice.decision.Query;
import dev.sluice.decision.RateLimiter;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.rule.Entry;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.RuleBook;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.RuleFiles;
import dev.sluice.rulefile.RuleOptions;
import dev.sluice.rulefile.RuleText;
import dev.sluice.testing.Exposition;
import dev.sluice.testing.TestClock;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** However many different names requests send, series stay few. */
final class CardinalityTest {
  private static final int MANY = 1_000_000;
  private static final String HITS = "ratelimit_service_rate_limit_total_hits";

  private final Metrics metrics = new Metrics();
  private final SeriesBudget budget = new SeriesBudget(1_000);
  private final RuleSeries series = new RuleSeries(metrics, budget, 0.8f);
  private final DecisionTelemetry telemetry =
      new DecisionTelemetry(metrics, series, new UnknownDomains(metrics, budget));
  private final TestClock clock = new TestClock(1_000_000);
  private RuleBook rules = book("{key: k, detailed_metric: true, " + limit(0) + "}");
  private final RateLimiter limiter =
      new RateLimiter(
          () -> Optional.of(rules),
          new InMemoryBucketStore(clock, clock.ticker(), 1_000),
          new RateLimiter.Modes(false, false),
          telemetry);

  private static String limit(int requests) {
    return "rate_limit: {unit: day, requests_per_unit: " + requests + "}";
  }

  private static RuleBook book(String... descriptors) {
    String text = "domain: d\ndescriptors: [" + String.join(", ", descriptors) + "]\n";
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    Loading loading =
        RuleFiles.read("rules", List.of(new RuleText.Read("d.yaml", bytes)), RuleOptions.STRICT);
    return ((Loading.Loaded) loading).rules();
  }

  private void load(String... descriptors) {
    rules = book(descriptors);
    series.load(rules);
  }

  private void ask(Query query) {
    assertThat(limiter.decide(query).toCompletableFuture()).isCompleted();
  }

  private static Query query(String domain, String value) {
    return query(domain, value, Optional.empty());
  }

  private static Query query(String domain, String value, Optional<RateLimit> override) {
    return new Query(
        domain,
        List.of(new Descriptor(List.of(new Entry("k", value)), override, new Hits.Asked(1))));
  }

  private Exposition page() {
    return Exposition.parse(metrics.page("").text());
  }

  private void staysSmall(IntFunction<Query> queries) {
    load("{key: k, detailed_metric: true, " + limit(0) + "}");
    IntStream.range(0, 10_000).forEach(i -> ask(queries.apply(i)));
    long before = heap();
    IntStream.range(10_000, MANY).forEach(i -> ask(queries.apply(i)));

    assertThat(heap() - before).isLessThan(8L << 20);
    assertThat(page().lines()).isLessThan(2_000);
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void aMillionValuesOfADetailedRuleAreFewSeries() {
    staysSmall(i -> query("d", "value-" + i));

    assertThat(total(page())).isEqualTo(MANY);
    assertThat(page().value(HITS + "{domain=\"d\",key1=\"other\"}")).isEqualTo(MANY - 166);
    assertThat(page().value("sluice_request_series{of=\"taken\"}")).isEqualTo(996);
  }

  @Test
  void aMillionValuesOfAPlainRuleLeaveNothingBehind() {
    InMemoryBucketStore buckets = new InMemoryBucketStore(clock, clock.ticker(), 500_000);
    RateLimiter plain =
        new RateLimiter(
            () -> Optional.of(rules), buckets, new RateLimiter.Modes(false, false), telemetry);
    load("{key: k, rate_limit: {unit: second, requests_per_unit: 5}}");
    long before = heap();
    for (int i = 0; i < MANY; i++) {
      clock.set(clock.micros() + 20);
      ask(plain, "value-" + i);
    }
    long full = heap();
    clock.set(clock.micros() + 10_000_000);
    ask(plain, "last");

    assertThat(full - before).isLessThan(64L << 20);
    assertThat(heap() - before).isLessThan(8L << 20);
    assertThat(total(page())).isEqualTo(MANY + 1);
    assertThat(page().beginning(HITS)).hasSize(1);
    assertThat(page().lines()).isLessThan(300);
  }

  private static void ask(RateLimiter limiter, String value) {
    assertThat(limiter.decide(query("d", value)).toCompletableFuture()).isCompleted();
  }

  @Test
  void aMillionOverridesAreFewSeries() {
    RateLimit limit = new RateLimit.Limited(Limit.of(5, Period.MINUTE));
    staysSmall(i -> query("d", "value-" + i, Optional.of(limit)));

    assertThat(total(page())).isEqualTo(MANY);
  }

  @Test
  void aMillionUnknownDomainsAreFewSeries() {
    staysSmall(i -> query("domain-" + i, "v"));

    assertThat(page().value("ratelimit_service_rate_limit_other_domain_not_found"))
        .isEqualTo(MANY - 333);
    assertThat(page().value("sluice_unknown_domain_total")).isEqualTo(MANY);
  }

  @Test
  void aNameThatIsVeryLongHasNoSeriesOfItsOwn() {
    load("{key: k, detailed_metric: true, " + limit(0) + "}");
    ask(query("d", "x".repeat(1_000_000)));
    ask(query("y".repeat(1_000_000), "v"));

    assertThat(page().value(HITS + "{domain=\"d\",key1=\"other\"}")).isEqualTo(1);
    assertThat(page().value("ratelimit_service_rate_limit_other_domain_not_found")).isEqualTo(1);
  }

  @Test
  void namesThatNoFormatAllowsStayReadable() {
    load("{key: k, detailed_metric: true, " + limit(0) + "}");
    ask(query("d", "line\nend \"quoted\" back\\slash} 1\n# TYPE ratelimit_x untyped"));
    ask(query("d", "half \uD800"));
    ask(query("d", "half ?"));
    ask(query("half \uD800", "v"));

    assertThat(page().beginning(HITS))
        .containsOnly(
            Map.entry(
                HITS
                    + "{domain=\"d\",key1=\"k_line\\nend \\\"quoted\\\" back\\\\slash} 1\\n# TYPE"
                    + " ratelimit_x untyped\"}",
                1.0),
            Map.entry(HITS + "{domain=\"d\",key1=\"k_half ?\"}", 2.0));
  }

  @Test
  void rulesHaveTheirSeriesHoweverMuchRequestsTook() {
    staysFull();
    load("{key: k, detailed_metric: true, " + limit(0) + "}", "{key: new, " + limit(1) + "}");

    assertThat(page().value(HITS + "{domain=\"d\",key1=\"new\"}")).isZero();
  }

  private void staysFull() {
    load("{key: k, detailed_metric: true, " + limit(0) + "}");
    IntStream.range(0, 1_000).forEach(i -> ask(query("d", "value-" + i)));
    assertThat(page().value("sluice_request_series{of=\"taken\"}")).isEqualTo(996);
  }

  @Test
  void aRuleTakesOverWhatRequestsCountedUnderItsLabelsAndGivesTheirPlaceBack() {
    staysFull();
    load("{key: k, value: value-7, " + limit(0) + "}");
    ask(query("d", "value-7"));

    assertThat(page().value(HITS + "{domain=\"d\",key1=\"k_value-7\"}")).isEqualTo(2);
    assertThat(page().value("sluice_request_series{of=\"taken\"}")).isEqualTo(990);

    load("{key: unused, " + limit(0) + "}");
    assertThat(page().value(HITS + "{domain=\"d\",key1=\"k_value-7\"}")).isEqualTo(2);
    assertThat(page().value("sluice_request_series{of=\"taken\"}")).isEqualTo(996);
  }

  @Test
  void aMillionThirdLevelsAreFewNamesWhereTheyAreSentAndOneLineOfThePage() {
    String rule =
        "{key: k, value: v, descriptors: [{key: l, value: v, descriptors: [{key: m,"
            + " detailed_metric: true, "
            + limit(0)
            + "}]}]}";
    load(rule);
    IntStream.range(0, MANY).forEach(i -> ask(deep("value-" + i)));
    RecordedStats stats = new RecordedStats();
    metrics.tell(stats);

    assertThat(page().value(HITS + "{domain=\"d\",key1=\"k_v\",key2=\"l_v\"}")).isEqualTo(MANY);
    assertThat(page().value("sluice_request_series{of=\"taken\"}")).isEqualTo(6);
    String name = "ratelimit.service.rate_limit.d.k_v.l_v.";
    assertThat(stats.counted())
        .hasSize(2 * 167)
        .containsEntry(name + "m_value-7.total_hits", 1L)
        .containsEntry(name + "total_hits", MANY - 166L);
  }

  private static Query deep(String value) {
    List<Entry> entries = List.of(new Entry("k", "v"), new Entry("l", "v"), new Entry("m", value));
    return new Query("d", List.of(new Descriptor(entries, Optional.empty(), new Hits.Asked(1))));
  }

  @Test
  void rulesThatComeAndGoForEverDoNotAddUp() {
    for (int i = 0; i < 2_000; i++) {
      load("{key: k-" + i + ", " + limit(1) + "}");
    }

    assertThat(page().lines()).isLessThan(2_000);
    assertThat(page().beginning(HITS)).hasSize(167);
  }

  @Test
  void aLargeSetOfRulesShowsOnlyThoseThatDecidedSomething() {
    String[] many =
        IntStream.range(0, 3_000)
            .mapToObj(i -> "{key: k, value: v" + i + ", " + limit(1) + "}")
            .toArray(String[]::new);
    load(many);
    ask(query("d", "v17"));

    assertThat(page().beginning(HITS))
        .containsOnlyKeys(HITS + "{domain=\"d\",key1=\"k_v17\"}")
        .hasSize(1);
    assertThat(page().beginning("sluice_rule_limit{")).hasSize(1);
  }

  @Test
  void aDetailedRuleIsCountedWhereTheRequestSaysWhatTheFileSays() {
    load("{key: k, value: v, detailed_metric: true, " + limit(1) + "}");
    ask(query("d", "v"));

    assertThat(page().value(HITS + "{domain=\"d\",key1=\"k_v\"}")).isEqualTo(1);
  }

  private static double total(Exposition page) {
    return page.beginning(HITS).values().stream().mapToDouble(it -> it).sum();
  }
}
