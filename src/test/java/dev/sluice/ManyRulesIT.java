package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.decision.Answer;
import dev.sluice.decision.Descriptor;
import dev.sluice.decision.Hits;
import dev.sluice.decision.Query;
import dev.sluice.decision.RateLimiter;
import dev.sluice.decision.Status;
import dev.sluice.rule.Entry;
import dev.sluice.rulefile.RuleOptions;
import dev.sluice.rulefile.RuleText;
import dev.sluice.rulefile.RulesInForce;
import dev.sluice.telemetry.DecisionTelemetry;
import dev.sluice.telemetry.Metrics;
import dev.sluice.telemetry.RuleSeries;
import dev.sluice.telemetry.RuleTelemetry;
import dev.sluice.telemetry.SeriesBudget;
import dev.sluice.telemetry.UnknownDomains;
import dev.sluice.testing.TestClock;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A large set of rules that changes again and again while requests are decided. */
class ManyRulesIT {
  private static final int RULES = 50_000;
  private static final int PATTERNS = 200;
  private static final int RELOADS = 10;

  private final Metrics metrics = new Metrics();
  private final SeriesBudget budget = new SeriesBudget(1_000);
  private final RuleSeries series = new RuleSeries(metrics, budget, 0.8f);
  private final TestClock clock = new TestClock(1_790_000_000_000_000L);
  private final RulesInForce rules =
      new RulesInForce(
          RuleOptions.STRICT, new RuleTelemetry(metrics, series, InstantSource.system()));
  private final RateLimiter limiter =
      new RateLimiter(
          rules,
          new InMemoryBucketStore(clock, clock.ticker(), 1_000),
          new RateLimiter.Modes(false, false),
          new DecisionTelemetry(metrics, series, new UnknownDomains(metrics, budget)));

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong decided = new AtomicLong();
  private final AtomicLong unlimited = new AtomicLong();

  @Test
  void reloadsLeaveNothingBehindAndEveryDecisionHasItsLimit() throws InterruptedException {
    load(1_000);
    Thread caller = new Thread(this::decideUntilOver);
    caller.start();
    load(1_001);
    load(1_002);
    long before = heap();
    for (int i = 0; i < RELOADS; i++) {
      load(1_003 + i);
    }
    long after = heap();
    over.set(true);
    caller.join();

    assertThat(after).isLessThan(before + before / 5);
    assertThat(unlimited).hasValue(0);
  }

  private void decideUntilOver() {
    while (!over.get()) {
      String value = String.format("s%05d", decided.get() % 10);
      for (String each : List.of(value, value + "-x")) {
        if (limit(each).isEmpty()) {
          unlimited.incrementAndGet();
        }
      }
      decided.incrementAndGet();
    }
  }

  /** The limit that a request for this value is held to. */
  private Optional<Long> limit(String value) {
    Descriptor descriptor =
        new Descriptor(List.of(new Entry("sku", value)), Optional.empty(), new Hits.Asked(1));
    Answer answer =
        limiter.decide(new Query("sku", List.of(descriptor))).toCompletableFuture().join();
    return answer instanceof Answer.Decision decision
            && decision.statuses().get(0) instanceof Status.Decided status
        ? Optional.of(status.limit().requests())
        : Optional.empty();
  }

  /** Changes every rule, and waits until requests were decided by the new ones. */
  private void load(long requests) {
    var unused = rules.offer("rules", List.of(new RuleText.Read("sku.yaml", file(requests))));
    assertThat(limit("s49999")).contains(requests);
    assertThat(limit("s77777-x-199-x")).contains(requests);
    if (requests > 1_000) {
      long then = decided.get();
      await().atMost(Duration.ofSeconds(60)).until(() -> decided.get() > then);
    }
  }

  private static ByteBuffer file(long requests) {
    String limit = ", rate_limit: {unit: day, requests_per_unit: " + requests + "}}\n";
    return StandardCharsets.UTF_8.encode(
        Stream.concat(
                IntStream.range(0, RULES)
                    .mapToObj(i -> String.format("- {key: sku, value: s%05d", i)),
                IntStream.range(0, PATTERNS)
                    .mapToObj(i -> String.format("- {key: sku, value: 's*%03d-x'", i)))
            .collect(Collectors.joining(limit, "domain: sku\ndescriptors:\n", limit)));
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
