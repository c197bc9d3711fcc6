package dev.sluice.testing;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** A clock that stands still until it is moved. Its ticker follows it, but never runs back. */
public final class TestClock implements InstantSource {
  private volatile long micros;
  private volatile long nanos;

  /** A clock at this time, in microseconds since 1970. */
  public TestClock(long micros) {
    this.micros = micros;
  }

  /** Sets the time, in microseconds since 1970. */
  public synchronized void set(long toMicros) {
    nanos += Math.max(0, toMicros - micros) * 1_000;
    micros = toMicros;
  }

  /** The time in microseconds since 1970. */
  public long micros() {
    return micros;
  }

  @Override
  public Instant instant() {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** Nanoseconds that pass with it. */
  public Ticker ticker() {
    return () -> nanos;
  }
}
