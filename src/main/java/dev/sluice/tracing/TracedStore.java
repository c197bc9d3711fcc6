package dev.sluice.tracing;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.Deadline;
import dev.sluice.limit.Verdict;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A span for what a traced request asks of a node of Redis, from when it is handed over until it is
 * answered or given up. Requests share calls of scripts, so its time is not that of a call alone.
 * What nobody asked for, such as units that are given back, has none. Thread-safe; never blocks.
 */
final class TracedStore implements BucketStore {
  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("db.system.name");
  private static final AttributeKey<String> NODE = AttributeKey.stringKey("node");
  private static final AttributeKey<Long> LENGTH = AttributeKey.longKey("pipeline length");

  private final BucketStore store;
  private final String node;
  private final Tracer tracer;

  TracedStore(BucketStore store, String node, Tracer tracer) {
    this.store = store;
    this.node = node;
    this.tracer = tracer;
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    Context parent = Context.current();
    if (!Span.fromContext(parent).isRecording()) {
      return store.decide(charges, deadline);
    }
    Span span =
        tracer
            .spanBuilder("Redis Pipeline Execution")
            .setParent(parent)
            .setSpanKind(SpanKind.CLIENT)
            .setAttribute(SYSTEM, "redis")
            .setAttribute(NODE, node)
            .setAttribute(LENGTH, (long) charges.size())
            .startSpan();
    try {
      return store.decide(charges, deadline).whenComplete((verdicts, error) -> end(span, error));
    } catch (RuntimeException e) {
      end(span, e);
      throw e;
    }
  }

  private static void end(Span span, @Nullable Throwable error) {
    if (error != null) {
      Throwable reason =
          error instanceof CompletionException && error.getCause() != null
              ? error.getCause()
              : error;
      span.setStatus(StatusCode.ERROR, String.valueOf(reason.getMessage()));
    }
    span.end();
  }
}
