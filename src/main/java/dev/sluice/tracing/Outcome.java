package dev.sluice.tracing;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of spans: those that end are counted, and those that are sent. It says once that the
 * collector does not take them, and once that it does again, at most every minute; that more come
 * than can be sent, once. Thread-safe.
 */
final class Outcome implements SpanProcessor {
  private static final Logger LOG = LoggerFactory.getLogger(Outcome.class);
  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int STANDARD_QUEUE = 2_048;
  private static final int STANDARD_BATCH = 512;

  private final LongAdder ended = new LongAdder();
  private final AtomicLong handed = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicBoolean failing = new AtomicBoolean();
  private final AtomicBoolean overflowing = new AtomicBoolean();
  private final AtomicLong silentUntilNanos = new AtomicLong(System.nanoTime());

  /** An exporter whose results are seen. */
  SpanExporter of(SpanExporter exporter, ConfigProperties config) {
    long mostWaiting =
        (long) config.getInt("otel.bsp.max.queue.size", STANDARD_QUEUE)
            + config.getInt("otel.bsp.max.export.batch.size", STANDARD_BATCH);
    return new Seen(exporter, mostWaiting);
  }

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {}

  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    if (span.getSpanContext().isSampled()) {
      ended.increment();
    }
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  /** Says how many spans did not get to the collector, if any. */
  void sayWhatWasLost() {
    long all = ended.sum();
    if (all > sent.get()) {
      LOG.warn("{} of {} spans were not sent.", all - sent.get(), all);
    }
  }

  private void handed(int spans, long mostWaiting) {
    long before = handed.getAndAdd(spans);
    if (ended.sum() - before > mostWaiting && !overflowing.getAndSet(true)) {
      LOG.warn("More spans come than can be sent; what is beyond is dropped.");
    }
  }

  private void told(int spans, CompletableResultCode result) {
    if (result.isSuccess()) {
      sent.addAndGet(spans);
      if (failing.getAndSet(false)) {
        LOG.info("Traces reach their collector again.");
      }
      return;
    }
    long now = System.nanoTime();
    if (now - silentUntilNanos.get() >= 0 && !failing.getAndSet(true)) {
      silentUntilNanos.set(now + PAUSE_NANOS);
      LOG.warn("Traces do not reach their collector ({}); they are dropped.", reason(result));
    }
  }

  private static String reason(CompletableResultCode result) {
    @Nullable Throwable reason = result.getFailureThrowable();
    while (reason != null && reason.getMessage() == null) {
      reason = reason.getCause();
    }
    return reason == null ? "it does not take them" : String.valueOf(reason.getMessage());
  }

  /** Tells what becomes of each batch. */
  private final class Seen implements SpanExporter {
    private final SpanExporter exporter;
    private final long mostWaiting;

    Seen(SpanExporter exporter, long mostWaiting) {
      this.exporter = exporter;
      this.mostWaiting = mostWaiting;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      int size = spans.size();
      handed(size, mostWaiting);
      CompletableResultCode result = exporter.export(spans);
      return result.whenComplete(() -> told(size, result));
    }

    @Override
    public CompletableResultCode flush() {
      return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
      return exporter.shutdown();
    }
  }
}
