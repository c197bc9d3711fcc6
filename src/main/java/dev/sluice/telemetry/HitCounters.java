package dev.sluice.telemetry;

import java.util.concurrent.atomic.DoubleAdder;

/**
 * The counters that the reference server keeps of a rule. Counting is thread-safe and never blocks;
 * what has been told of them is for one thread at a time.
 */
final class HitCounters {
  private final DoubleAdder hits = new DoubleAdder();
  private final DoubleAdder within = new DoubleAdder();
  private final DoubleAdder over = new DoubleAdder();
  private final DoubleAdder near = new DoubleAdder();
  private final DoubleAdder cached = new DoubleAdder();
  private final DoubleAdder shadow = new DoubleAdder();
  private Tally told = Tally.NOTHING;

  void add(Tally tally) {
    add(hits, tally.hits());
    add(within, tally.within());
    add(over, tally.over());
    add(near, tally.near());
    add(cached, tally.cached());
    add(shadow, tally.shadow());
  }

  private static void add(DoubleAdder adder, double units) {
    if (units != 0) {
      adder.add(units);
    }
  }

  /** What they say now. What is counted meanwhile may be in some of them already. */
  Tally read() {
    return new Tally(hits.sum(), within.sum(), over.sum(), near.sum(), cached.sum(), shadow.sum());
  }

  /** Takes over what others have counted, and told. */
  void absorb(HitCounters others) {
    add(others.read());
    told = told.plus(others.told);
  }

  /** What was counted since this was last asked. Asked by one thread at a time. */
  Tally more() {
    Tally now = read();
    Tally more = now.minus(told);
    told = now;
    return more;
  }
}
