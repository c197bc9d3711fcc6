package dev.sluice.bench;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits while others work. */
final class Pause {
  private Pause() {}

  static void of(Duration length) {
    try {
      TimeUnit.NANOSECONDS.sleep(length.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("the benchmark was interrupted", e);
    }
  }
}
