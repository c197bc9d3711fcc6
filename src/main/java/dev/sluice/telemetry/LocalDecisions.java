package dev.sluice.telemetry;

import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.guard.FallbackObserver.Outcome;
import io.prometheus.client.Counter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Requests that were decided without Redis, by the strictest policy of their rules.
 *
 * <p>While Redis is down that is every request, so no label is put together twice. Thread-safe.
 */
final class LocalDecisions {
  private final Counter counter;
  private final Map<Kind, Counter.Child> children = new ConcurrentHashMap<>();

  private record Kind(Reason reason, OnFailure policy, Outcome outcome) {}

  /** What most likely comes is on the page from the start. */
  LocalDecisions(Metrics metrics) {
    counter =
        Counter.build(
                "sluice_local_decisions_total",
                "Requests that were decided without Redis, by the strictest policy of their rules.")
            .labelNames("reason", "policy", "verdict")
            .register(metrics.registry());
    for (Reason reason : Reason.values()) {
      var unused = child(new Kind(reason, OnFailure.LOCAL, Outcome.ALLOWED));
    }
  }

  void count(Reason reason, OnFailure policy, Outcome outcome) {
    child(new Kind(reason, policy, outcome)).inc();
  }

  private Counter.Child child(Kind kind) {
    Counter.Child known = children.get(kind);
    return known != null ? known : children.computeIfAbsent(kind, this::made);
  }

  private Counter.Child made(Kind kind) {
    return counter.labels(
        Metrics.word(kind.reason), Metrics.word(kind.policy), Metrics.word(kind.outcome));
  }
}
