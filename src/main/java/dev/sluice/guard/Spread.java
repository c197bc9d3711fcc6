package dev.sluice.guard;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.Vote;
import dev.sluice.limit.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One store of buckets that have several homes.
 *
 * <p>A request whose buckets share a part goes straight down. Any other is split: its parts are
 * decided at the same time, each as a group of its own, and what they took is given back if one of
 * them denies the request. So it never lets through more than one store would; between taking and
 * giving back, others may be denied for a round trip.
 *
 * <p>What a home does not decide, a stand-in does, as in {@link Fallback}. A part that failed may
 * have been carried out or not, so nothing is ever given back to its home. If the stand-in fails
 * too, because a rule says so, then so does the request, and the other parts give back.
 * Thread-safe.
 */
public final class Spread implements BucketStore {
  private final Homes homes;
  private final StandIn standIn;
  private final SpreadObserver observer;

  /**
   * A store over these homes.
   *
   * @param standIn decides the parts that their homes do not
   */
  public Spread(Homes homes, StandIn standIn, SpreadObserver observer) {
    this.homes = homes;
    this.standIn = standIn;
    this.observer = observer;
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    if (charges.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    int first = homes.part(charges.get(0));
    for (int i = 1; i < charges.size(); i++) {
      if (homes.part(charges.get(i)) != first) {
        return split(charges, deadline);
      }
    }
    return standIn.behind(homes.store(first), charges, deadline);
  }

  private CompletionStage<List<Verdict>> split(List<BucketCharge> charges, Deadline deadline) {
    Map<Integer, Part> parts = new LinkedHashMap<>();
    for (int i = 0; i < charges.size(); i++) {
      parts.computeIfAbsent(homes.part(charges.get(i)), Part::new).add(i, charges.get(i));
    }
    List<CompletableFuture<Void>> decided = new ArrayList<>(parts.size());
    for (Part part : parts.values()) {
      decided.add(decide(part, deadline).toCompletableFuture());
    }
    return CompletableFuture.allOf(decided.toArray(CompletableFuture[]::new))
        .whenComplete(
            (all, error) -> {
              if (error != null || !allowed(charges, parts.values())) {
                parts.values().forEach(this::giveBack);
              }
            })
        .thenApply(all -> verdicts(charges, parts.values()));
  }

  private CompletionStage<Void> decide(Part part, Deadline deadline) {
    return standIn
        .asked(homes.store(part.number()), part.charges(), deadline)
        .thenAccept(part::decidedAtHome)
        .exceptionallyCompose(failure -> standIn(part, deadline, failure));
  }

  private CompletionStage<Void> standIn(Part part, Deadline deadline, Throwable failure) {
    return standIn.decide(part.charges(), deadline, failure).thenAccept(part::decidedByStandIn);
  }

  private void giveBack(Part part) {
    List<BucketCharge> gifts = part.withdraw();
    if (gifts.isEmpty()) {
      return;
    }
    observer.returned();
    if (part.isDecidedAtHome()) {
      var unused = homes.store(part.number()).decide(gifts, Deadline.NONE);
    } else {
      standIn.giveBack(gifts);
    }
  }

  private static boolean allowed(List<BucketCharge> charges, Collection<Part> parts) {
    List<Verdict> verdicts = verdicts(charges, parts);
    Vote vote = new Vote();
    for (int i = 0; i < verdicts.size(); i++) {
      vote.count(charges.get(i).veto(), verdicts.get(i).conforms());
    }
    return vote.allows();
  }

  private static List<Verdict> verdicts(List<BucketCharge> charges, Collection<Part> parts) {
    Verdict[] all = new Verdict[charges.size()];
    parts.forEach(part -> part.tell(all));
    return List.of(all);
  }
}
