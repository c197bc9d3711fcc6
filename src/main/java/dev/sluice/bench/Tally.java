package dev.sluice.bench;

import dev.sluice.load.Answers;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Counts what came of calls, and keeps how long each took. Thread-safe. */
final class Tally implements Answers {
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int DIGITS = 3;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int OVER_LIMIT = 2;

  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong denied = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicReference<String> reason = new AtomicReference<>("");
  private final Histogram nanos = new ConcurrentHistogram(LONGEST_NANOS, DIGITS);

  @Override
  public void answered(long took, ByteBuf message) {
    nanos.recordValue(Math.min(Math.max(took, 0), LONGEST_NANOS));
    if (message.readableBytes() > 1 && message.getByte(message.readerIndex() + 1) == OVER_LIMIT) {
      denied.incrementAndGet();
    }
    answered.incrementAndGet();
  }

  @Override
  public void failed(String why) {
    reason.set(why);
    failed.incrementAndGet();
  }

  long answered() {
    return answered.get();
  }

  /** How many of the answers were OVER_LIMIT. */
  long denied() {
    return denied.get();
  }

  /** The time that so many per cent of the answered calls took at most, in milliseconds. */
  double millis(double percentile) {
    return nanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
  }

  /** The longest, in milliseconds. */
  double longestMillis() {
    return nanos.getMaxValue() / NANOS_PER_MILLI;
  }

  /** How many calls had no answer. */
  long failed() {
    return failed.get();
  }

  /**
   * Fails where all calls did, since nothing was measured then.
   *
   * @throws BenchException with the reason of the last one
   */
  void refuseSilence() {
    if (answered.get() == 0 && failed.get() > 0) {
      throw new BenchException(failed.get() + " calls failed, the last because " + reason.get());
    }
  }
}
