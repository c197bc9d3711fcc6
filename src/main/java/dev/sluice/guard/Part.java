package dev.sluice.guard;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.bucket.BucketKey;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The charges of a request that are decided together, and what became of them.
 *
 * <p>Not thread-safe: it is filled by one thread, decided by one after it, and read once all parts
 * of the request are decided.
 */
final class Part {
  private final int number;
  private final List<Integer> places = new ArrayList<>();
  private final List<BucketCharge> charges = new ArrayList<>();
  private List<Verdict> verdicts = List.of();
  private boolean decidedAtHome;

  Part(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  /**
   * Adds the charge at a place of the request. Votes that count together are counted over all
   * parts, so here they veto nothing.
   */
  void add(int place, BucketCharge charge) {
    places.add(place);
    charges.add(
        charge.veto() == Veto.TOGETHER ? charge.asking(charge.charge(), Veto.NEVER) : charge);
  }

  List<BucketCharge> charges() {
    return charges;
  }

  void decidedAtHome(List<Verdict> decision) {
    verdicts = decision;
    decidedAtHome = true;
  }

  void decidedByStandIn(List<Verdict> decision) {
    verdicts = decision;
  }

  boolean isDecidedAtHome() {
    return decidedAtHome;
  }

  /** Puts the verdicts at their places. */
  void tell(Verdict[] all) {
    for (int i = 0; i < verdicts.size(); i++) {
      all[places.get(i)] = verdicts.get(i);
    }
  }

  /**
   * Takes back what was taken.
   *
   * @return the charges that give it back
   */
  List<BucketCharge> withdraw() {
    Map<BucketKey, Long> taken = new HashMap<>();
    List<BucketCharge> gifts = new ArrayList<>();
    List<Verdict> withdrawn = new ArrayList<>(verdicts.size());
    for (int i = 0; i < verdicts.size(); i++) {
      BucketCharge charge = charges.get(i);
      Verdict verdict = verdicts.get(i);
      long units = taken(verdict);
      if (units > 0) {
        gifts.add(charge.asking(new Charge.Give(units), Veto.NEVER));
      }
      withdrawn.add(verdict.without(charge.limit(), taken.merge(charge.key(), units, Long::sum)));
    }
    verdicts = withdrawn;
    return gifts;
  }

  private static long taken(Verdict verdict) {
    return verdict instanceof Verdict.Allowed allowed ? Math.max(0, allowed.granted()) : 0;
  }
}
