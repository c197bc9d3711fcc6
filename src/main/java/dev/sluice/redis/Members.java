package dev.sluice.redis;

import dev.sluice.bucket.BatchStore.Outcome;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.bucket.Vote;
import dev.sluice.limit.Micros;
import dev.sluice.limit.Verdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A group of several charges.
 *
 * @param charges its members
 * @param entries the same, as the script knows them
 * @param place index of the first charge in the reply
 */
record Members(List<BucketCharge> charges, List<Entry> entries, int place) implements Block {
  @Override
  public void write(ByteBuffer into) {
    Entry.writeHeader(into, entries.size());
    for (int i = 0; i < entries.size(); i++) {
      entries.get(i).write(into, 1, code(charges.get(i).veto()));
    }
  }

  @Override
  public Outcome next(long[] reply) {
    if (Block.isForeign(reply, place)) {
      return FOREIGN;
    }
    Vote vote = new Vote();
    for (int i = 0; i < entries.size(); i++) {
      vote.count(charges.get(i).veto(), Block.conformed(reply, place + i) > 0);
    }
    List<Verdict> verdicts = new ArrayList<>(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      long conformed = Block.conformed(reply, place + i);
      Micros backlog = Block.backlog(reply, place + i);
      long taken = vote.allows() ? conformed : 0;
      verdicts.add(entries.get(i).tariff().verdict(conformed > 0, taken, backlog));
    }
    return new Outcome.Decided(verdicts);
  }

  private static int code(Veto veto) {
    return switch (veto) {
      case ALONE -> 1;
      case TOGETHER -> 2;
      case NEVER -> 3;
    };
  }
}
