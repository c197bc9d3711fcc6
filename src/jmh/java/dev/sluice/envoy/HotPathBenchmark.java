package dev.sluice.envoy;

import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.Deadline;
import dev.sluice.decision.Answer;
import dev.sluice.decision.DecisionObserver;
import dev.sluice.decision.Query;
import dev.sluice.decision.RateLimiter;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Micros;
import dev.sluice.limit.Period;
import dev.sluice.limit.Step;
import dev.sluice.limit.Verdict;
import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.rule.Match;
import dev.sluice.rule.RuleBook;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.RuleFiles;
import dev.sluice.rulefile.RuleOptions;
import dev.sluice.rulefile.RuleText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What a request costs on its way, without gRPC and without Redis. Two entries, one descriptor. */
@State(Scope.Thread)
public class HotPathBenchmark {
  private static final String RULES =
      """
      domain: edge
      descriptors:
        - key: route
          value: checkout
          descriptors:
            - key: remote_address
              rate_limit: {unit: minute, requests_per_unit: 1000}
      """;

  private final RateLimitRequest request =
      RateLimitRequest.newBuilder()
          .setDomain("edge")
          .addDescriptors(
              RateLimitDescriptor.newBuilder()
                  .addEntries(entry("route", "checkout"))
                  .addEntries(entry("remote_address", "10.0.0.7")))
          .build();
  private final Query query = RequestReader.read(request, Deadline.NONE);
  private final RuleBook rules = rules();
  private final Limit limit = Limit.of(1_000, Period.MINUTE);
  private final Micros backlog = limit.interval().times(617);
  private final Charge charge = new Charge.Take(1);
  private final Verdict verdict = Verdict.of(limit, charge, true, 1, backlog);
  private final BucketStore store =
      (charges, deadline) -> CompletableFuture.completedFuture(List.of(verdict));
  private final RateLimiter limiter =
      new RateLimiter(
          () -> Optional.of(rules), store, new RateLimiter.Modes(false, false), new Unseen());
  private final Answer.Decision decision =
      (Answer.Decision) limiter.decide(query).toCompletableFuture().join();
  private final ResponseWriter writer =
      new ResponseWriter(new AnswerFormat(Optional.empty(), false, true, false, false, false));

  @Benchmark
  public Match findRule() {
    return rules.find("edge", query.descriptors().get(0).entries());
  }

  @Benchmark
  public BucketKey nameBucket() {
    return BucketKey.in("edge")
        .entry("route", "checkout")
        .entry("remote_address", "10.0.0.7")
        .build();
  }

  @Benchmark
  public Step judgeCharge() {
    return Step.of(limit, backlog, charge);
  }

  @Benchmark
  public Verdict makeVerdict() {
    return Verdict.of(limit, charge, true, 1, backlog);
  }

  @Benchmark
  public Query readRequest() {
    return RequestReader.read(request, Deadline.NONE);
  }

  @Benchmark
  public RateLimitResponse writeResponse() {
    return writer.write(request, decision);
  }

  /** From the query to the answer, by a store that answers at once. */
  @Benchmark
  public Answer decide() {
    return limiter.decide(query).toCompletableFuture().join();
  }

  private static RateLimitDescriptor.Entry entry(String key, String value) {
    return RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue(value).build();
  }

  private static RuleBook rules() {
    RuleText text = new RuleText.Read("edge.yaml", StandardCharsets.UTF_8.encode(RULES));
    return ((Loading.Loaded) RuleFiles.read("rules", List.of(text), RuleOptions.STRICT)).rules();
  }

  /** Sees nothing. */
  private static final class Unseen implements DecisionObserver {
    @Override
    public void unknownDomain(Query query) {}

    @Override
    public void decided(Query query, Answer.Decision decision, boolean shadowed) {}
  }
}
