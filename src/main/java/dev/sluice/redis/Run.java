package dev.sluice.redis;

import dev.sluice.bucket.BatchStore.Outcome;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.limit.Charge;
import dev.sluice.limit.EmissionInterval;
import dev.sluice.limit.Micros;
import dev.sluice.limit.Verdict;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Equal groups of one charge on one bucket, decided one after the other at one instant.
 *
 * <p>Redis says how many of them conformed, which are the first ones, and the backlog after the
 * last. That is enough to tell each of them what it would have been told alone. Not thread-safe.
 */
final class Run implements Block {
  /** What 16 bits hold. */
  private static final int LONGEST = 0xFFFF;

  private final Entry entry;
  private final int place;
  private final boolean takes;
  private int times = 1;

  private int told;
  private Micros backlog = Micros.ZERO;
  private @Nullable Outcome same;

  /**
   * A run of one.
   *
   * @param place index of the charge in the reply
   */
  Run(Entry entry, int place) {
    this.entry = entry;
    this.place = place;
    takes = entry.tariff().charge() instanceof Charge.Take;
  }

  /** Whether the charge, on the same bucket, is one more of the same. */
  boolean goesOnWith(BucketCharge charge) {
    return times < LONGEST && entry.tariff().is(charge.limit(), charge.charge());
  }

  void again() {
    times++;
  }

  boolean isQuestion() {
    return entry.tariff().isQuestion();
  }

  @Override
  public void write(ByteBuffer into) {
    entry.write(into, times, 0);
  }

  @Override
  public Outcome next(long[] reply) {
    if (Block.isForeign(reply, place)) {
      return FOREIGN;
    }
    long conformed = Block.conformed(reply, place);
    if (told == 0) {
      backlog = takes && times > 1 ? before(reply, conformed) : Block.backlog(reply, place);
    }
    boolean conforms = told++ < conformed;
    if (conforms && takes && times > 1) {
      EmissionInterval interval = entry.tariff().limit().interval();
      backlog = backlog.plus(interval.times(units()), interval.denominator());
      return decided(entry.tariff().verdict(true, 1, backlog));
    }
    if (same == null) {
      same = decided(entry.tariff().verdict(conforms, conformed, backlog));
    }
    return same;
  }

  private static Outcome decided(Verdict verdict) {
    return new Outcome.Decided(List.of(verdict));
  }

  /** The backlog before the first take of so many that conformed. */
  private Micros before(long[] reply, long conformed) {
    EmissionInterval interval = entry.tariff().limit().interval();
    Micros taken = interval.times(conformed == 0 ? 0 : conformed * units());
    return Block.backlog(reply, place).minus(taken, interval.denominator());
  }

  private long units() {
    return entry.tariff().charge().units();
  }
}
