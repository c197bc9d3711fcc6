package dev.sluice.xds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Waits WAITS = waits(0);

  @Test
  void waitsGrowUpToTheLongestAndBeginAnewAfterASuccess() {
    Backoff backoff = new Backoff(WAITS, () -> 0.5);

    assertThat(seconds(backoff, 7)).containsExactly(3L, 10L, 20L, 40L, 60L, 60L, 60L);
    backoff.reset();
    assertThat(seconds(backoff, 2)).containsExactly(3L, 10L);
  }

  @Test
  void waitsVaryByAPartOfThemselvesUpAndDown() {
    assertThat(new Backoff(waits(0.5), () -> 0).next()).isEqualTo(Duration.ofMillis(1500));
    assertThat(new Backoff(waits(0.5), () -> 1).next()).isEqualTo(Duration.ofMillis(4500));
  }

  @Test
  void theLongestWaitBoundsTheFirstToo() {
    Waits short3 =
        new Waits(Duration.ofSeconds(9), Duration.ofSeconds(9), Duration.ofSeconds(2), 0);

    assertThat(seconds(new Backoff(short3, () -> 0.5), 3)).containsExactly(2L, 2L, 2L);
  }

  @Test
  void waitsOfCenturiesDoNotOverflow() {
    Duration long1 = Duration.ofNanos(Long.MAX_VALUE);
    Backoff backoff = new Backoff(new Waits(long1, long1, long1, 0.5), () -> 1);

    assertThat(List.of(backoff.next(), backoff.next())).containsOnly(long1);
  }

  @Test
  void whatWouldBeAWaitBelowZeroIsRefused() {
    assertThatThrownBy(() -> waits(1.5)).hasMessage("spread is 1.5 (expected 0 to 1)");
  }

  private static Waits waits(double spread) {
    return new Waits(Duration.ofSeconds(3), Duration.ofSeconds(10), Duration.ofSeconds(60), spread);
  }

  private static List<Long> seconds(Backoff backoff, int times) {
    return Stream.generate(() -> backoff.next().toSeconds()).limit(times).toList();
  }
}
