package dev.sluice.guard;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.bucket.Vote;
import dev.sluice.limit.Balance;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Micros;
import dev.sluice.limit.Verdict;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Decides groups of charges without their store, by what each charge's terms say of that.
 *
 * <p>In one group, deny beats error beats local beats allow: a charge that is to be denied denies
 * its group where its veto counts, else a charge that is to be an error fails it, else the local
 * buckets decide what is theirs, and what is to be allowed passes. A charge that never vetoes never
 * fails its group either. A charge of more units than the limit's burst is denied under every
 * policy, and reports that are denied are not recorded. Every balance is an assumed one.
 *
 * <p>Thread-safe. The stage fails with a {@link BucketStoreException} where the caller is to be
 * told that there is no decision, and with nothing else.
 */
public final class FailurePolicy implements BucketStore {
  private final BucketStore local;
  private final LongSupplier denials;

  /**
   * A policy.
   *
   * @param local decides what is to be decided here; never fails
   * @param denials for how long the next caller that is denied is sent away, in microseconds
   */
  public FailurePolicy(BucketStore local, LongSupplier denials) {
    this.local = local;
    this.denials = denials;
  }

  /** The strictest policy of those that have a say in the verdict on the group. */
  static OnFailure strictest(List<BucketCharge> charges) {
    OnFailure strictest = OnFailure.ALLOW;
    boolean voiced = false;
    for (BucketCharge charge : charges) {
      OnFailure policy = charge.terms().onFailure();
      boolean voice = charge.veto() != Veto.NEVER;
      if (voice && !voiced) {
        strictest = policy;
      } else if (voice == voiced && policy.compareTo(strictest) > 0) {
        strictest = policy;
      }
      voiced |= voice;
    }
    return strictest;
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    Vote beforehand = new Vote();
    boolean error = false;
    boolean quotaPasses = false;
    for (BucketCharge charge : charges) {
      boolean mayConform = mayConform(charge);
      beforehand.count(charge.veto(), mayConform);
      error |= charge.veto() != Veto.NEVER && charge.terms().onFailure() == OnFailure.ERROR;
      quotaPasses |= charge.veto() == Veto.TOGETHER && mayConform && allows(charge);
    }
    if (beforehand.allows() && error) {
      return CompletableFuture.failedFuture(
          new BucketStoreException(
              BucketStoreException.Reason.ERROR, "on_backend_failure of a rule is error"));
    }
    List<BucketCharge> here = new ArrayList<>(charges.size());
    for (BucketCharge charge : charges) {
      if (isLocal(charge)) {
        Veto veto = quotaPasses && charge.veto() == Veto.TOGETHER ? Veto.NEVER : charge.veto();
        Charge asked = charge.charge();
        here.add(charge.asking(beforehand.allows() ? asked : asked.onlyLooking(), veto));
      }
    }
    return local.decide(here, deadline).thenApply(verdicts -> combined(charges, verdicts));
  }

  /** Puts the verdicts of the local buckets between those that need none. */
  private List<Verdict> combined(List<BucketCharge> charges, List<Verdict> verdicts) {
    Vote vote = new Vote();
    Iterator<Verdict> next = verdicts.iterator();
    List<Verdict> found = new ArrayList<>(charges.size());
    for (BucketCharge charge : charges) {
      Verdict verdict = isLocal(charge) ? here(charge, next.next()) : elsewhere(charge);
      vote.count(charge.veto(), verdict.conforms());
      found.add(verdict);
    }
    if (!vote.allows()) {
      found.replaceAll(FailurePolicy::untaken);
    }
    return found;
  }

  private Verdict here(BucketCharge charge, Verdict verdict) {
    boolean tooMuchHere = verdict instanceof Verdict.Impossible && possible(charge);
    return tooMuchHere ? denied(verdict.balance().remaining()) : verdict.asAssumed();
  }

  private Verdict elsewhere(BucketCharge charge) {
    Balance full = Balance.of(charge.limit(), Micros.ZERO).asAssumed();
    long units = charge.charge().units();
    if (charge.charge() instanceof Charge.Give) {
      return new Verdict.Allowed(0, full);
    }
    if (!possible(charge)) {
      return new Verdict.Impossible(full);
    }
    if (!allows(charge)) {
      return denied(0);
    }
    if (charge.charge() instanceof Charge.Force) {
      return new Verdict.Recorded(units, true, full);
    }
    return new Verdict.Allowed(charge.charge() instanceof Charge.Look ? 0 : units, full);
  }

  private Verdict denied(long remaining) {
    long wait = denials.getAsLong();
    return new Verdict.Denied(
        wait, new Balance(remaining, new Micros(wait, 0), wait, Balance.Origin.ASSUMED));
  }

  /** What was granted of a group that was denied after all: nothing; reports are another matter. */
  private static Verdict untaken(Verdict verdict) {
    return verdict instanceof Verdict.Allowed allowed && allowed.granted() > 0
        ? new Verdict.Allowed(0, allowed.balance())
        : verdict;
  }

  private static boolean isLocal(BucketCharge charge) {
    OnFailure policy = charge.terms().onFailure();
    return policy == OnFailure.LOCAL || policy == OnFailure.ERROR;
  }

  private static boolean allows(BucketCharge charge) {
    return charge.terms().onFailure() == OnFailure.ALLOW;
  }

  /** Whether the charge may conform, before anybody has been asked. */
  private static boolean mayConform(BucketCharge charge) {
    return charge.charge() instanceof Charge.Give
        || isLocal(charge)
        || (allows(charge) && possible(charge));
  }

  private static boolean possible(BucketCharge charge) {
    return charge.charge() instanceof Charge.UpTo
        || charge.charge() instanceof Charge.Force
        || charge.charge().units() <= charge.limit().burst();
  }
}
