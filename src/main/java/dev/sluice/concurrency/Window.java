package dev.sluice.concurrency;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * The calls that ended in one stretch of time: at least so long, and at least so many of them.
 *
 * <p>The length varies by a fifth, so that servers that watch the same Redis do not act together.
 * Of very many calls it keeps a fair selection. Not thread-safe.
 */
final class Window {
  private static final int FEWEST = 10;
  private static final int KEPT = 512;

  private final long[] kept = new long[KEPT];
  private final RandomGenerator random;
  private final long lengthNanos;
  private long endNanos;
  private int count;
  private int late;
  private int mostPlaces;
  private double places;
  private double nanos;

  Window(long lengthNanos, RandomGenerator random) {
    this.lengthNanos = lengthNanos;
    this.random = random;
  }

  void add(long took, int place, boolean isLate, long nowNanos) {
    if (count == 0) {
      endNanos = nowNanos + (long) (lengthNanos * random.nextDouble(0.8, 1.2));
    }
    if (count < KEPT) {
      kept[count] = took;
    } else {
      int slot = random.nextInt(count + 1);
      if (slot < KEPT) {
        kept[slot] = took;
      }
    }
    count++;
    late += isLate ? 1 : 0;
    mostPlaces = Math.max(mostPlaces, place);
    places += place;
    nanos += took;
  }

  /** Counts a part of all times only. */
  void scale(double share) {
    for (int i = 0; i < Math.min(count, KEPT); i++) {
      kept[i] = (long) (kept[i] * share);
    }
    nanos *= share;
  }

  boolean isOver(long nowNanos) {
    return count >= FEWEST && nowNanos - endNanos >= 0;
  }

  /** The middle one of the times. */
  long medianNanos() {
    int size = Math.min(count, KEPT);
    Arrays.sort(kept, 0, size);
    return kept[size / 2];
  }

  /** The part of the calls that were late, from 0 to 1. */
  double lateShare() {
    return (double) late / count;
  }

  /** The most calls that were under way when one of these began. */
  int mostPlaces() {
    return mostPlaces;
  }

  /** How many calls came to their end in a nanosecond, by Little's law. */
  double throughput() {
    return places / nanos;
  }

  void clear() {
    count = 0;
    late = 0;
    mostPlaces = 0;
    places = 0;
    nanos = 0;
  }
}
