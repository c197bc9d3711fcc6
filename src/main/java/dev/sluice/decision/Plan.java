package dev.sluice.decision;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.bucket.Terms.Priority;
import dev.sluice.bucket.Vote;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Verdict;
import dev.sluice.rule.Entry;
import dev.sluice.rule.Match;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule.Conduct;
import dev.sluice.rule.Rule.Payment;
import dev.sluice.rule.RuleBook;
import java.util.ArrayList;
import java.util.List;

/**
 * What is to be asked for one request: the status of each descriptor, or the charge that will
 * decide it.
 *
 * <p>Not thread-safe; made and used for one request.
 */
final class Plan {
  /** By far the most common one. */
  private static final Charge ONE = new Charge.Take(1);

  private final String domain;
  private final RuleBook rules;
  private final boolean allQuota;
  private final List<List<Entry>> told;
  private final List<Item> items;
  private final List<BucketCharge> charges;

  /** One descriptor, and how its status counts for the request. */
  private sealed interface Item {
    Veto role();

    /** Whether it lets the request pass whatever the buckets say. */
    boolean passesAnyway();

    /** Whether it lets the request pass if the buckets do. */
    boolean mayPass();
  }

  private record Settled(Status status, Veto role) implements Item {
    @Override
    public boolean passesAnyway() {
      return status.isOk();
    }

    @Override
    public boolean mayPass() {
      return status.isOk();
    }
  }

  private record Asked(Match.Found match, BucketCharge charge, Veto role) implements Item {
    @Override
    public boolean passesAnyway() {
      return match.rule().conduct().shadow();
    }

    @Override
    public boolean mayPass() {
      return true;
    }
  }

  /**
   * A plan.
   *
   * @param modes what holds for every request
   */
  Plan(RuleBook rules, Query query, RateLimiter.Modes modes) {
    this.domain = query.domain();
    this.rules = rules;
    this.allQuota = modes.quota();
    told = told(rules, query);
    List<Match> matches = Matches.of(rules, query, told);
    items = new ArrayList<>(matches.size());
    for (int i = 0; i < matches.size(); i++) {
      items.add(item(matches.get(i), query.descriptors().get(i).hits()));
    }
    List<BucketCharge> made = modes.eachAlone() ? eachAlone(items) : together(items);
    charges = modes.priorityKey().isEmpty() ? made : stated(query, modes.priorityKey(), made);
  }

  /** What to ask the store; may be empty. */
  List<BucketCharge> charges() {
    return charges;
  }

  /** The decision, once the store has given a verdict on each charge. */
  Answer.Decision decision(List<Verdict> verdicts) {
    List<Status> statuses = new ArrayList<>(items.size());
    Vote vote = new Vote();
    int next = 0;
    for (Item item : items) {
      Status status =
          item instanceof Asked asked
              ? decided(asked, verdicts.get(next++))
              : ((Settled) item).status;
      vote.count(item.role(), status.isOk());
      statuses.add(status);
    }
    return new Answer.Decision(vote.allows(), statuses, told);
  }

  private static List<List<Entry>> told(RuleBook rules, Query query) {
    List<List<Entry>> told = new ArrayList<>(query.descriptors().size());
    for (Descriptor descriptor : query.descriptors()) {
      told.add(rules.told(query.domain(), descriptor.entries()));
    }
    return told;
  }

  private static Status decided(Asked asked, Verdict verdict) {
    return new Status.Decided(asked.match, asked.charge.limit(), asked.charge.charge(), verdict);
  }

  private Item item(Match match, Hits hits) {
    if (!(match instanceof Match.Found found)) {
      return new Settled(new Status.Unmatched(), allQuota ? Veto.TOGETHER : Veto.NEVER);
    }
    Conduct conduct = found.rule().conduct();
    Veto role = allQuota || conduct.quota() ? Veto.TOGETHER : Veto.ALONE;
    if (found.rule().rateLimit() instanceof RateLimit.Limited limited) {
      Charge charge = charge(hits, conduct.payment());
      return new Asked(
          found,
          new BucketCharge(
              rules.bucket(domain, found.bucketEntries()),
              limited.limit(),
              charge,
              role,
              conduct.terms()),
          role);
    }
    if (found.rule().rateLimit() instanceof RateLimit.Unlimited) {
      return new Settled(new Status.Unlimited(found), Veto.NEVER);
    }
    boolean ok = conduct.shadow() || hits instanceof Hits.Returned;
    return new Settled(new Status.Blocked(found, hits, ok), role);
  }

  /**
   * The group to decide. Where the request is denied whatever the buckets say, they are looked at
   * and nothing is taken; where a quota rule passes whatever they say, no other one can deny.
   */
  private static List<BucketCharge> together(List<Item> items) {
    Vote atBest = new Vote();
    boolean quotaPasses = false;
    for (Item item : items) {
      atBest.count(item.role(), item.mayPass());
      quotaPasses |= item.role() == Veto.TOGETHER && item.passesAnyway();
    }
    List<BucketCharge> charges = new ArrayList<>(items.size());
    for (Item item : items) {
      if (item instanceof Asked asked) {
        boolean moot = asked.passesAnyway() || (quotaPasses && asked.role == Veto.TOGETHER);
        Charge charge = asked.charge.charge();
        charges.add(
            asked.charge.asking(
                atBest.allows() ? charge : charge.onlyLooking(), moot ? Veto.NEVER : asked.role));
      }
    }
    return charges;
  }

  /** The charges as they are, none of which keeps another one from being carried out. */
  private static List<BucketCharge> eachAlone(List<Item> items) {
    List<BucketCharge> charges = new ArrayList<>(items.size());
    for (Item item : items) {
      if (item instanceof Asked asked) {
        charges.add(asked.charge.asking(asked.charge.charge(), Veto.NEVER));
      }
    }
    return charges;
  }

  private static List<BucketCharge> stated(Query query, String key, List<BucketCharge> charges) {
    return StatedPriority.of(query, key).map(it -> with(it, charges)).orElse(charges);
  }

  private static List<BucketCharge> with(Priority priority, List<BucketCharge> charges) {
    return charges.stream().map(it -> it.on(it.terms().with(priority))).toList();
  }

  private static Charge charge(Hits hits, Payment payment) {
    if (hits instanceof Hits.Asked asked) {
      return payment == Payment.REPORTED ? new Charge.Force(asked.units()) : take(asked.units());
    }
    if (hits instanceof Hits.Reported reported) {
      return payment == Payment.ASKED ? take(reported.units()) : new Charge.Force(reported.units());
    }
    return hits instanceof Hits.Returned returned
        ? new Charge.Give(returned.units())
        : new Charge.Look(1);
  }

  private static Charge take(long units) {
    return units == 1 ? ONE : new Charge.Take(units);
  }
}
