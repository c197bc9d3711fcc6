package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import org.junit.jupiter.api.Test;

final class ZipfTest {
  private static final int DRAWN = 400_000;

  @Test
  void ranksComeInProportionToTheirInverse() {
    int[] counts = new int[100];
    Zipf zipf = new Zipf(counts.length, 7);
    for (int i = 0; i < DRAWN; i++) {
      counts[zipf.next()]++;
    }
    double harmonic = 0;
    for (int rank = 1; rank <= counts.length; rank++) {
      harmonic += 1.0 / rank;
    }
    for (int rank : new int[] {1, 2, 10, 100}) {
      assertThat((double) counts[rank - 1]).isCloseTo(DRAWN / harmonic / rank, withPercentage(15));
    }
  }

  @Test
  void sameSeedDrawsTheSame() {
    Zipf one = new Zipf(1_000, 3);
    Zipf other = new Zipf(1_000, 3);
    for (int i = 0; i < 1_000; i++) {
      assertThat(one.next()).isEqualTo(other.next());
    }
  }
}
