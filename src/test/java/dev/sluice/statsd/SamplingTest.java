package dev.sluice.statsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class SamplingTest {
  private static List<Integer> taken(Sampling sampling, long... calls) {
    List<Integer> taken = new ArrayList<>();
    sampling.take(calls, taken::add);
    return taken;
  }

  @Test
  void fewCallsAreAllTold() {
    assertThat(Sampling.of(1_000).rate()).isEmpty();
    assertThat(taken(Sampling.of(4), 2, 0, 0, 1, 0, 1)).containsExactly(5, 3, 0, 0);
  }

  @Test
  void aRateIsAnExactPart() {
    assertThat(Sampling.of(1_001).rate()).isEqualTo("|@0.5");
    assertThat(Sampling.of(1_000_000).rate()).isEqualTo("|@0.0009765625");
    assertThat(Sampling.of(Long.MAX_VALUE).every()).isEqualTo(1 << 30);
  }

  @Property
  void aSampleHasTheShapeOfTheWholeAndTheSlowestCall(
      @ForAll @Size(min = 1, max = 30) List<@LongRange(min = 0, max = 100_000) Long> counts) {
    long[] calls = counts.stream().mapToLong(it -> it).toArray();
    long all = Arrays.stream(calls).sum();
    Sampling sampling = Sampling.of(all);

    List<Integer> taken = taken(sampling, calls);

    assertThat(taken.size()).isLessThanOrEqualTo(1_000);
    assertThat((long) taken.size() * sampling.every()).isBetween(all, all + sampling.every() - 1L);
    long slower = 0;
    for (int millis = calls.length - 1; millis >= 0; millis--) {
      slower += calls[millis];
      int least = millis;
      long told = taken.stream().filter(it -> it >= least).count() * sampling.every();
      assertThat(told).isBetween(slower, slower + sampling.every() - 1L);
    }
  }
}
