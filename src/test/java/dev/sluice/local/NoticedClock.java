package dev.sluice.local;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.sluice.testing.TestClock;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The clock of a store, and nanoseconds that pass with it. Where the clock is set back, a second
 * passes: so long may it take until that is noticed by whoever remembers denials.
 */
final class NoticedClock implements InstantSource {
  private final TestClock clock = new TestClock(0);
  private volatile long nanos;

  synchronized void set(long micros) {
    long step = micros - clock.micros();
    nanos += step < 0 ? 1_000_000_000 : step * 1_000;
    clock.set(micros);
  }

  void pass(long micros) {
    set(clock.micros() + micros);
  }

  long micros() {
    return clock.micros();
  }

  /** Nanoseconds that pass for who remembers. */
  long nanos() {
    return nanos;
  }

  /** Nanoseconds that pass for a store, which sees its clock. */
  Ticker ticker() {
    return clock.ticker();
  }

  @Override
  public Instant instant() {
    return clock.instant();
  }
}
