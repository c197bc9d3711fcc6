package dev.sluice.tracing;

import dev.sluice.decision.Answer;
import dev.sluice.decision.Limiter;
import dev.sluice.decision.Query;
import dev.sluice.decision.Status;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A span for each decision, below that of its call. Thread-safe; never blocks. */
final class TracedLimiter implements Limiter {
  private static final AttributeKey<String> DOMAIN = AttributeKey.stringKey("domain");
  private static final AttributeKey<String> CODE = AttributeKey.stringKey("code");
  private static final AttributeKey<Boolean> DEGRADED = AttributeKey.booleanKey("degraded");

  private final Limiter limiter;
  private final Tracer tracer;

  TracedLimiter(Limiter limiter, Tracer tracer) {
    this.limiter = limiter;
    this.tracer = tracer;
  }

  @Override
  public CompletionStage<Answer> decide(Query query) {
    Context parent = ServerSpans.current();
    Span span = tracer.spanBuilder("ShouldRateLimit Execution").setParent(parent).startSpan();
    if (!span.isRecording()) {
      return limiter.decide(query);
    }
    span.setAttribute(DOMAIN, query.domain());
    try {
      return parent
          .with(span)
          .wrapSupplier(() -> limiter.decide(query))
          .get()
          .whenComplete((answer, error) -> end(span, answer));
    } catch (RuntimeException e) {
      end(span, null);
      throw e;
    }
  }

  private static void end(Span span, @Nullable Answer answer) {
    if (answer instanceof Answer.Decision decision) {
      span.setAttribute(CODE, decision.allowed() ? "OK" : "OVER_LIMIT");
      span.setAttribute(DEGRADED, isAssumed(decision));
    } else {
      span.setStatus(
          StatusCode.ERROR, answer == null ? "it could not be decided" : "no rules are loaded yet");
    }
    span.end();
  }

  /** Whether the store did not decide, but who stands in for it. */
  private static boolean isAssumed(Answer.Decision decision) {
    for (Status status : decision.statuses()) {
      if (status instanceof Status.Decided decided && decided.verdict().balance().assumed()) {
        return true;
      }
    }
    return false;
  }
}
