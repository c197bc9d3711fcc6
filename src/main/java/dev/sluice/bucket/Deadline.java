package dev.sluice.bucket;

/**
 * The instant after which an answer is of no use to whoever asks.
 *
 * @param atNanos by the clock of {@link System#nanoTime}
 */
public record Deadline(long atNanos) {
  /** The caller waits for ever. */
  public static final Deadline NONE = new Deadline(Long.MAX_VALUE);

  /** Nanoseconds that are left at an instant of that clock; less than 0 when it has passed. */
  public long leftNanos(long nowNanos) {
    return equals(NONE) ? Long.MAX_VALUE : atNanos - nowNanos;
  }
}
