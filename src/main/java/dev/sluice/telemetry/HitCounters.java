package dev.sluice.telemetry;

import java.util.concurrent.atomic.DoubleAdder;

/** The counters that the reference server keeps of a rule. Thread-safe; never blocks. */
final class HitCounters {
  private final DoubleAdder hits = new DoubleAdder();
  private final DoubleAdder within = new DoubleAdder();
  private final DoubleAdder over = new DoubleAdder();
  private final DoubleAdder near = new DoubleAdder();
  private final DoubleAdder shadow = new DoubleAdder();

  void add(Tally tally) {
    add(hits, tally.hits());
    add(within, tally.within());
    add(over, tally.over());
    add(near, tally.near());
    add(shadow, tally.shadow());
  }

  private static void add(DoubleAdder adder, double units) {
    if (units != 0) {
      adder.add(units);
    }
  }

  /** What they say now. What is counted meanwhile may be in some of them already. */
  Tally read() {
    return new Tally(hits.sum(), within.sum(), over.sum(), near.sum(), shadow.sum());
  }
}
