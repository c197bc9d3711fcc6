package dev.sluice;

import dev.sluice.bucket.BucketStore;
import dev.sluice.concurrency.Algorithms;
import dev.sluice.concurrency.Bounds;
import dev.sluice.concurrency.Gate;
import dev.sluice.guard.AdaptiveConcurrency;
import dev.sluice.guard.CircuitBreaker;
import dev.sluice.guard.TimeLimit;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.OverloadCatalogue;
import dev.sluice.settings.Settings;
import dev.sluice.telemetry.GuardTelemetry;
import dev.sluice.tracing.Traces;
import dev.sluice.transport.EventLoops;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What stands before each Redis: the trace of what is asked, a breaker, the time that calls have,
 * and how many there may be at once.
 */
final class Guards {
  /** Found by simulation; RATIONALE.md has the table. */
  private static final Bounds BOUNDS = new Bounds(4, 1_024, 128, 4_096);

  private final Settings settings;
  private final EventLoops loops;
  private final GuardTelemetry telemetry;
  private final Traces traces;
  private final Map<String, CircuitBreaker> breakers = new ConcurrentHashMap<>();

  Guards(Settings settings, EventLoops loops, GuardTelemetry telemetry, Traces traces) {
    this.settings = settings;
    this.loops = loops;
    this.telemetry = telemetry;
    this.traces = traces;
  }

  /**
   * The store of one node, with everything that stands before it.
   *
   * @param node what it is called in metrics and in the log
   */
  BucketStore before(String node, BucketStore store) {
    Duration timeout = settings.get(Catalogue.REDIS_COMMAND_TIMEOUT);
    String name = settings.get(OverloadCatalogue.REDIS_CONCURRENCY);
    if (name.equals("off")) {
      return breaker(node, limited(store, timeout), () -> {});
    }
    Gate gate = new Gate(Algorithms.named(name).make(BOUNDS, timeout, loops.idleShare()));
    telemetry.watch(node, gate);
    BucketStore bounded = new AdaptiveConcurrency(store, gate, System::nanoTime, telemetry);
    return breaker(node, limited(bounded, timeout), gate::restart);
  }

  /** A node that may have been away answers: calls need not wait any longer to find that out. */
  void answers(String node) {
    CircuitBreaker breaker = breakers.get(node);
    if (breaker != null) {
      breaker.tryNow();
    }
  }

  /** Forgets a node that is gone. */
  void forget(String node) {
    breakers.remove(node);
    telemetry.forget(node);
  }

  private BucketStore limited(BucketStore store, Duration timeout) {
    return new TimeLimit(store, timeout, loops::afterLook, System::nanoTime, telemetry);
  }

  private BucketStore breaker(String node, BucketStore store, Runnable recovered) {
    CircuitBreaker breaker =
        new CircuitBreaker(
            store, System::nanoTime, new SplittableRandom(), telemetry.breaker(node, recovered));
    breakers.put(node, breaker);
    return traces.store(node, breaker);
  }
}
