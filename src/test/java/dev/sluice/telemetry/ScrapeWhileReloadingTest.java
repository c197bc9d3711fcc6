package dev.sluice.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.decision.Status;
import dev.sluice.limit.Balance;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.rule.Entry;
import dev.sluice.rule.Match;
import dev.sluice.rule.Naming;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import dev.sluice.rule.RuleBook;
import dev.sluice.rule.RuleNode;
import dev.sluice.testing.Exposition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pages that are read while rules change and hits are counted. */
final class ScrapeWhileReloadingTest {
  private static final int HITS = 20_000;
  private static final int CALLERS = 3;
  private static final Limit LIMIT = Limit.of(1_000, Period.DAY);
  private static final String STAYS =
      "ratelimit_service_rate_limit_total_hits{domain=\"d\",key1=\"stays\"}";
  private static final String COMES_AND_GOES =
      "ratelimit_service_rate_limit_total_hits{domain=\"d\",key1=\"comes-and-goes\"}";
  private static final String DECISIONS =
      "sluice_rule_decisions_total{rule=\"d.stays\",verdict=\"within_limit\"}";

  private final Metrics metrics = new Metrics();
  private final RuleSeries series = new RuleSeries(metrics, new SeriesBudget(100), 0.8f);
  private final AtomicIntegerArray done = new AtomicIntegerArray(CALLERS);
  private volatile RuleBook inForce = book(true);

  private static RuleBook book(boolean both) {
    RuleNode.Builder root = RuleNode.builder();
    root.child("stays", "", Naming.PLAIN, node("stays"));
    if (both) {
      root.child("comes-and-goes", "", Naming.PLAIN, node("comes-and-goes"));
    }
    return new RuleBook(Map.of("d", root.build()));
  }

  private static RuleNode node(String key) {
    Rule plain = Rule.plain("d." + key, new RateLimit.Limited(LIMIT));
    Rule rule =
        new Rule(
            plain.id(),
            "",
            plain.rateLimit(),
            plain.conduct(),
            Set.of(),
            plain.metadata(),
            new Rule.Label(List.of(key), false));
    return RuleNode.builder().rule(rule).build();
  }

  private void load(RuleBook book) {
    series.load(book);
    inForce = book;
  }

  private void hit(String key) {
    Match match = inForce.find("d", List.of(new Entry(key, "v")));
    if (match instanceof Match.Found found) {
      Verdict verdict = new Verdict.Allowed(1, new Balance(999, 1, 1));
      Status status = new Status.Decided(found, LIMIT, new Charge.Take(1), verdict);
      series.count("d", status, Outcome.of(status));
    }
  }

  private void hits(int caller) {
    for (int i = 0; i < HITS; i++) {
      hit("stays");
      done.incrementAndGet(caller);
    }
  }

  /** Loads again and again, but never twice during one hit, as no watch would. */
  private void loads() {
    for (int i = 0; IntStream.range(0, CALLERS).anyMatch(it -> done.get(it) < HITS); i++) {
      load(book(i % 2 == 0));
      int[] before = IntStream.range(0, CALLERS).map(done::get).toArray();
      while (IntStream.range(0, CALLERS)
          .anyMatch(it -> done.get(it) < Math.min(HITS, before[it] + 2))) {
        Thread.onSpinWait();
      }
    }
  }

  private Exposition page() {
    return Exposition.parse(metrics.page("").text());
  }

  @Test
  void noPageIsBrokenNoCounterFallsAndNoHitIsLost() {
    load(book(true));
    hit("comes-and-goes");
    List<CompletableFuture<Void>> callers =
        IntStream.range(0, CALLERS)
            .mapToObj(caller -> CompletableFuture.runAsync(() -> hits(caller)))
            .toList();
    CompletableFuture<Void> loader = CompletableFuture.runAsync(this::loads);
    CompletableFuture<Void> all =
        CompletableFuture.allOf(loader, CompletableFuture.allOf(array(callers)));
    double last = 0;
    do {
      Exposition page = page();
      assertThat(page.value(STAYS)).isGreaterThanOrEqualTo(last);
      assertThat(page.value(COMES_AND_GOES)).isEqualTo(1);
      last = page.value(STAYS);
    } while (!all.isDone());
    all.join();

    assertThat(page().value(STAYS)).isEqualTo(HITS * CALLERS);
    assertThat(page().value(DECISIONS)).isEqualTo(HITS * CALLERS);
  }

  private static CompletableFuture<?>[] array(List<CompletableFuture<Void>> futures) {
    return futures.toArray(CompletableFuture[]::new);
  }
}
