package dev.sluice.decision;

import dev.sluice.bucket.BucketStore;
import dev.sluice.rule.RuleBook;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Decides requests: the rules in force say which buckets to ask, and the buckets say what may pass.
 *
 * <p>The rules are taken once for each request, so a change of rules never splits one. Thread-safe;
 * never blocks.
 */
public final class RateLimiter implements Limiter {
  private static final CompletionStage<Answer> NO_RULES =
      CompletableFuture.completedFuture(new Answer.NoRules());

  private final Supplier<Optional<RuleBook>> rulesInForce;
  private final BucketStore store;
  private final Modes modes;
  private final DecisionObserver observer;

  /**
   * A limiter.
   *
   * @param rulesInForce the rules at the time of asking; empty until some have been loaded
   * @param store where the buckets are
   * @param modes what holds for every request
   */
  public RateLimiter(
      Supplier<Optional<RuleBook>> rulesInForce,
      BucketStore store,
      Modes modes,
      DecisionObserver observer) {
    this.rulesInForce = rulesInForce;
    this.store = store;
    this.modes = modes;
    this.observer = observer;
  }

  /** {@inheritDoc} Here that is the store. */
  @Override
  public CompletionStage<Answer> decide(Query query) {
    Optional<RuleBook> rules = rulesInForce.get();
    if (rules.isEmpty()) {
      return NO_RULES;
    }
    if (!rules.get().knows(query.domain())) {
      observer.unknownDomain(query);
    }
    Plan plan = new Plan(rules.get(), query, modes);
    if (plan.charges().isEmpty()) {
      return CompletableFuture.completedFuture(observed(query, plan.decision(List.of())));
    }
    return store
        .decide(plan.charges(), query.deadline())
        .thenApply(verdicts -> observed(query, plan.decision(verdicts)));
  }

  private Answer observed(Query query, Answer.Decision decision) {
    boolean shadowed = modes.shadow() && !decision.allowed();
    observer.decided(query, decision, shadowed);
    return shadowed ? new Answer.Decision(true, decision.statuses(), decision.told()) : decision;
  }

  /**
   * What holds for every request.
   *
   * @param shadow whether every request is allowed, whatever its statuses say
   * @param quota whether every limited descriptor counts as one of a quota rule
   * @param eachAlone whether descriptors are charged each on its own: what conforms is taken
   *     although another one denies the request
   * @param priorityKey of the descriptor entry that states the priority of a request; empty where
   *     none does
   */
  public record Modes(boolean shadow, boolean quota, boolean eachAlone, String priorityKey) {
    /** What is asked for is taken only if the whole request is allowed, and no entry is special. */
    public Modes(boolean shadow, boolean quota) {
      this(shadow, quota, false, "");
    }
  }
}
