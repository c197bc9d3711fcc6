package dev.sluice;

import dev.sluice.bucket.BucketStore;
import dev.sluice.concurrency.Bounds;
import dev.sluice.concurrency.Gate;
import dev.sluice.concurrency.TimeGoal;
import dev.sluice.guard.AdaptiveConcurrency;
import dev.sluice.guard.TimeLimit;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.Settings;
import dev.sluice.telemetry.GuardTelemetry;
import dev.sluice.transport.EventLoops;
import java.time.Duration;
import java.util.SplittableRandom;

/** What stands before each Redis: the time that calls have, and how many there may be at once. */
final class Guards {
  private static final Bounds BOUNDS = new Bounds(4, 1_024, 32, 4_096);

  private final Duration timeout;
  private final EventLoops loops;
  private final GuardTelemetry telemetry;

  Guards(Settings settings, EventLoops loops, GuardTelemetry telemetry) {
    this.timeout = settings.get(Catalogue.REDIS_COMMAND_TIMEOUT);
    this.loops = loops;
    this.telemetry = telemetry;
  }

  /** The store of one node, with everything that stands before it. */
  BucketStore before(BucketStore store) {
    Gate gate = new Gate(new TimeGoal(BOUNDS, timeout, new SplittableRandom()));
    BucketStore bounded = new AdaptiveConcurrency(store, gate, System::nanoTime, telemetry);
    return new TimeLimit(bounded, timeout, loops::after, System::nanoTime, telemetry);
  }
}
