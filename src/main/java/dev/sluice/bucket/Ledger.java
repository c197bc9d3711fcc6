package dev.sluice.bucket;

import dev.sluice.limit.BucketState;
import dev.sluice.limit.Micros;
import dev.sluice.limit.Step;
import dev.sluice.limit.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One group of charges at one instant: judged as a whole, then written as a whole.
 *
 * <p>Not thread-safe: whoever makes one holds the locks of all its buckets.
 */
final class Ledger {
  private final List<BucketCharge> charges;
  private final long nowMicros;
  private final Function<BucketCharge, Optional<BucketState>> stored;
  private final Map<BucketKey, Optional<BucketState>> states = new HashMap<>();

  Ledger(
      List<BucketCharge> charges,
      long nowMicros,
      Function<BucketCharge, Optional<BucketState>> stored) {
    this.charges = charges;
    this.nowMicros = nowMicros;
    this.stored = stored;
  }

  /** Decides the group. What {@link #states} holds afterwards is to be written. */
  List<Verdict> settle() {
    List<Judgement> judged = judge(true);
    Vote vote = new Vote();
    judged.forEach(it -> vote.count(it.charge.veto(), it.step.conforms()));
    List<Judgement> settled = judged;
    if (!vote.allows()) {
      states.clear();
      settled = judge(false);
    }
    List<Verdict> verdicts = new ArrayList<>(charges.size());
    for (int i = 0; i < charges.size(); i++) {
      verdicts.add(verdict(judged.get(i), settled.get(i)));
    }
    return verdicts;
  }

  /** What each bucket of the group holds now; empty where it is full. */
  Map<BucketKey, Optional<BucketState>> states() {
    return states;
  }

  private List<Judgement> judge(boolean taking) {
    List<Judgement> judgements = new ArrayList<>(charges.size());
    for (BucketCharge charge : charges) {
      Optional<BucketState> state =
          states.computeIfAbsent(charge.key(), key -> stored.apply(charge));
      Micros before = state.map(it -> it.backlog(nowMicros, charge.limit())).orElse(Micros.ZERO);
      Step step = Step.of(charge.limit(), before, charge.charge());
      boolean carriedOut = charge.charge().reports() || (taking && step.conforms());
      Micros after = carriedOut ? step.backlog() : before;
      states.put(charge.key(), written(state, after, charge));
      judgements.add(new Judgement(charge, step, before, after, carriedOut));
    }
    return judgements;
  }

  /** The state to write, or the one that is there where it says the same. */
  private Optional<BucketState> written(
      Optional<BucketState> old, Micros backlog, BucketCharge charge) {
    if (backlog.equals(Micros.ZERO)) {
      return Optional.empty();
    }
    BucketState state = BucketState.at(nowMicros, backlog, charge.limit());
    return Optional.of(old.filter(state::agreesWith).orElse(state));
  }

  private static Verdict verdict(Judgement judged, Judgement settled) {
    BucketCharge charge = judged.charge;
    boolean conforms = judged.step.conforms();
    Micros backlog = conforms || settled.carriedOut ? settled.after : judged.before;
    long granted = settled.carriedOut ? settled.step.granted() : 0;
    return Verdict.of(charge.limit(), charge.charge(), conforms, granted, backlog);
  }

  private record Judgement(
      BucketCharge charge, Step step, Micros before, Micros after, boolean carriedOut) {}
}
