package dev.sluice.redis;

import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before an attempt to connect: any time up to a bound that doubles with each
 * attempt, so that many servers that lost the same Redis do not come back at the same instant.
 *
 * <p>The bound stays short, since another Redis may have taken over. Thread-safe.
 */
final class Backoff extends Delay {
  private static final long FIRST_MILLIS = 25;
  private static final long LONGEST_MILLIS = 500;
  private static final long MOST_DOUBLINGS = 10;

  /** The wait before an attempt, the first of which is 1. */
  @Override
  public Duration createDelay(long attempt) {
    long doublings = Math.min(MOST_DOUBLINGS, Math.max(0, attempt - 1));
    long bound = Math.min(LONGEST_MILLIS, FIRST_MILLIS << doublings);
    return Duration.ofMillis(1 + ThreadLocalRandom.current().nextLong(bound));
  }
}
