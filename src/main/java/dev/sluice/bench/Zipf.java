package dev.sluice.bench;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Ranks as Zipf's law has them: rank k comes in proportion to 1/(k + 1). Not thread-safe. */
final class Zipf {
  private final double[] cumulative;
  private final SplittableRandom random;

  /** So many ranks; the same seed draws the same. */
  Zipf(int ranks, long seed) {
    cumulative = new double[ranks];
    double sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
      sum += 1.0 / (rank + 1);
      cumulative[rank] = sum;
    }
    random = new SplittableRandom(seed);
  }

  /** A rank, from 0. */
  int next() {
    double drawn = random.nextDouble() * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, drawn);
    return found >= 0 ? found : -found - 1;
  }
}
