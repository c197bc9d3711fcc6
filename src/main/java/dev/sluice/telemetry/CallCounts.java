package dev.sluice.telemetry;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Calls, counted by how many whole milliseconds they took; those of more than ten seconds are told
 * as ten. Thread-safe, but for {@link #more}; counting never blocks.
 */
final class CallCounts {
  private static final int LONGEST_MILLIS = 10_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final AtomicReferenceArray<@Nullable LongAdder> byMillis =
      new AtomicReferenceArray<>(LONGEST_MILLIS + 1);
  private long[] told = new long[0];

  void count(long nanos) {
    int millis = (int) Math.min(LONGEST_MILLIS, Math.max(0, nanos / NANOS_PER_MILLI));
    LongAdder known = byMillis.get(millis);
    (known == null ? made(millis) : known).increment();
  }

  private LongAdder made(int millis) {
    LongAdder mine = new LongAdder();
    LongAdder earlier = byMillis.compareAndExchange(millis, null, mine);
    return earlier == null ? mine : earlier;
  }

  /** All calls. */
  long total() {
    return Arrays.stream(totals()).sum();
  }

  /** The calls since this was last asked, by milliseconds. Asked by one thread at a time. */
  long[] more() {
    long[] now = totals();
    long[] more = now.clone();
    for (int i = 0; i < told.length; i++) {
      more[i] -= told[i];
    }
    told = now;
    return more;
  }

  /** As long as the slowest call needs. */
  private long[] totals() {
    int length = byMillis.length();
    while (length > 0 && byMillis.get(length - 1) == null) {
      length--;
    }
    long[] totals = new long[length];
    for (int i = 0; i < length; i++) {
      LongAdder calls = byMillis.get(i);
      totals[i] = calls == null ? 0 : calls.sum();
    }
    return totals;
  }
}
