package dev.sluice.decision;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Verdict;
import dev.sluice.rule.Entry;
import dev.sluice.rule.Match;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import dev.sluice.rule.Rule.Payment;
import dev.sluice.rule.RuleBook;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is to be asked for one request: the status of each descriptor, or the charge that will
 * decide it.
 *
 * <p>Not thread-safe; made and used for one request.
 */
final class Plan {
  private static final Status UNMATCHED = new Status.Unmatched();

  private final String domain;
  private final List<Item> items;
  private final List<BucketCharge> charges;
  private boolean vetoed;

  private sealed interface Item {
    record Settled(Status status) implements Item {}

    record Asked(Rule rule, BucketCharge charge) implements Item {}
  }

  Plan(RuleBook rules, Query query) {
    domain = query.domain();
    items = new ArrayList<>(query.descriptors().size());
    charges = new ArrayList<>(query.descriptors().size());
    for (Descriptor descriptor : query.descriptors()) {
      items.add(item(rules, descriptor));
    }
    for (Item item : items) {
      if (item instanceof Item.Asked asked) {
        charges.add(vetoed ? onlyLooking(asked.charge) : asked.charge);
      }
    }
  }

  /** What to ask the store; may be empty. */
  List<BucketCharge> charges() {
    return charges;
  }

  /** The decision, once the store has given a verdict on each charge. */
  Answer.Decision decision(List<Verdict> verdicts) {
    List<Status> statuses = new ArrayList<>(items.size());
    boolean allowed = true;
    int next = 0;
    for (Item item : items) {
      Status status =
          item instanceof Item.Asked asked
              ? new Status.Decided(asked.rule, asked.charge.limit(), verdicts.get(next++))
              : ((Item.Settled) item).status;
      allowed &= status.isOk();
      statuses.add(status);
    }
    return new Answer.Decision(allowed, statuses);
  }

  private Item item(RuleBook rules, Descriptor descriptor) {
    Optional<RateLimit> override = descriptor.override();
    if (override.isPresent()) {
      Rule rule = new Rule(domain, "", override.get(), false, Payment.AS_SENT);
      return rules.knows(domain)
          ? item(rule, descriptor.entries(), descriptor)
          : new Item.Settled(UNMATCHED);
    }
    if (rules.find(domain, descriptor.entries()) instanceof Match.Found found) {
      return item(found.rule(), found.bucketEntries(), descriptor);
    }
    return new Item.Settled(UNMATCHED);
  }

  private Item item(Rule rule, List<Entry> bucketEntries, Descriptor descriptor) {
    if (rule.rateLimit() instanceof RateLimit.Limited limited) {
      BucketKey key = key(bucketEntries);
      Charge charge = charge(descriptor.hits(), rule.payment());
      return new Item.Asked(rule, new BucketCharge(key, limited.limit(), charge, !rule.shadow()));
    }
    if (rule.rateLimit() instanceof RateLimit.Unlimited) {
      return new Item.Settled(new Status.Unlimited(rule));
    }
    boolean ok = rule.shadow() || descriptor.hits() instanceof Hits.Returned;
    vetoed |= !ok;
    return new Item.Settled(new Status.Blocked(rule, ok));
  }

  private BucketKey key(List<Entry> entries) {
    BucketKey.Builder key = BucketKey.in(domain);
    for (Entry entry : entries) {
      key.entry(entry.key(), entry.value());
    }
    return key.build();
  }

  private static Charge charge(Hits hits, Payment payment) {
    if (hits instanceof Hits.Asked asked) {
      return payment == Payment.REPORTED
          ? new Charge.Force(asked.units())
          : new Charge.Take(asked.units());
    }
    if (hits instanceof Hits.Reported reported) {
      return payment == Payment.ASKED
          ? new Charge.Take(reported.units())
          : new Charge.Force(reported.units());
    }
    return hits instanceof Hits.Returned returned
        ? new Charge.Give(returned.units())
        : new Charge.Look(1);
  }

  /** The request is denied already, so what it asks for is judged and not taken. */
  private static BucketCharge onlyLooking(BucketCharge charge) {
    Limit limit = charge.limit();
    return charge.charge() instanceof Charge.Take take
        ? new BucketCharge(charge.key(), limit, new Charge.Look(take.units()), charge.enforced())
        : charge;
  }
}
