package dev.sluice.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.rule.Entry;
import dev.sluice.rule.RuleBook;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.RuleFiles;
import dev.sluice.rulefile.RuleOptions;
import dev.sluice.rulefile.RuleText;
import dev.sluice.testing.TestClock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A limiter over the rules of a file, at a time that stands still, and what it answers in short:
 * {@code OK: OK/3 OVER/0 OK/-} is a request that passes, and the code and the units left of each of
 * its descriptors.
 */
final class Deciding {
  private final TestClock clock = new TestClock(1_790_000_000_000_000L);
  private final List<Boolean> shadowed = new ArrayList<>();
  private final RateLimiter limiter;

  private Deciding(String descriptors, RateLimiter.Modes modes) {
    RuleBook rules = rules("domain: d\ndescriptors:\n" + descriptors);
    limiter =
        new RateLimiter(
            () -> Optional.of(rules),
            new InMemoryBucketStore(clock, clock.ticker(), 10_000),
            modes,
            new DecisionObserver() {
              @Override
              public void unknownDomain(Query query) {}

              @Override
              public void decided(Query query, Answer.Decision decision, boolean isShadowed) {
                shadowed.add(isShadowed);
              }
            });
  }

  static Deciding by(String descriptors) {
    return new Deciding(descriptors, new RateLimiter.Modes(false, false));
  }

  static Deciding inShadowMode(String descriptors) {
    return new Deciding(descriptors, new RateLimiter.Modes(true, false));
  }

  static Deciding eachAlone(String descriptors) {
    return new Deciding(descriptors, new RateLimiter.Modes(false, false, true, ""));
  }

  static Deciding inQuotaMode(String descriptors) {
    return new Deciding(descriptors, new RateLimiter.Modes(false, true));
  }

  private static RuleBook rules(String file) {
    RuleText text = new RuleText.Read("d.yaml", StandardCharsets.UTF_8.encode(file));
    Loading loading = RuleFiles.read("rules", List.of(text), RuleOptions.STRICT);
    assertThat(loading).isInstanceOf(Loading.Loaded.class);
    return ((Loading.Loaded) loading).rules();
  }

  /** Asks for one unit for each descriptor, such as {@code a=1,b=2}. */
  String ask(String... descriptors) {
    return decide(Stream.of(descriptors).map(it -> descriptor(it, new Hits.Asked(1))).toList());
  }

  String decide(List<Descriptor> descriptors) {
    Answer answer = limiter.decide(new Query("d", descriptors)).toCompletableFuture().join();
    Answer.Decision decision = (Answer.Decision) answer;
    return (decision.allowed() ? "OK: " : "OVER: ")
        + decision.statuses().stream().map(Deciding::inShort).collect(Collectors.joining(" "));
  }

  static Descriptor descriptor(String entries, Hits hits) {
    return new Descriptor(
        Stream.of(entries.split(",", -1))
            .map(it -> new Entry(it.split("=", 2)[0], it.split("=", 2)[1]))
            .toList(),
        Optional.empty(),
        hits);
  }

  /** Whether the last request passed only because it is in shadow mode. */
  boolean lastWasShadowed() {
    return shadowed.get(shadowed.size() - 1);
  }

  private static String inShort(Status status) {
    String code = status.isOk() ? "OK/" : "OVER/";
    if (status instanceof Status.Decided decided) {
      return code + decided.verdict().balance().remaining();
    }
    if (status instanceof Status.Blocked) {
      return code + "blocked";
    }
    return code + (status instanceof Status.Unlimited ? "unlimited" : "-");
  }
}
