package dev.sluice.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.concurrency.Algorithms;
import dev.sluice.concurrency.Bounds;
import dev.sluice.concurrency.Gate;
import dev.sluice.guard.BreakerObserver;
import dev.sluice.testing.Exposition;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class GuardTelemetryTest {
  private final Metrics metrics = new Metrics();
  private final GuardTelemetry telemetry = new GuardTelemetry(metrics);

  @Test
  void aNodeThatIsGoneLeavesNoSeriesBehind() {
    watch("a:1");
    watch("b:2").opened();
    assertThat(page().samples().keySet()).anyMatch(series -> series.contains("b:2"));

    telemetry.forget("b:2");

    assertThat(page().samples().keySet()).noneMatch(series -> series.contains("b:2"));
    assertThat(page().value("sluice_redis_breaker_open{node=\"a:1\"}")).isZero();
    assertThat(page().beginning("sluice_redis_concurrency_limit")).hasSize(1);
  }

  @Test
  void aNodeThatComesBackBeginsWithAClosedBreaker() {
    BreakerObserver gone = watch("a:1");
    gone.opened();
    watch("a:1");
    assertThat(page().value("sluice_redis_breaker_open{node=\"a:1\"}")).isZero();

    telemetry.forget("a:1");
    gone.opened();
    assertThat(page().beginning("sluice_redis_breaker_open")).isEmpty();
  }

  private BreakerObserver watch(String node) {
    Bounds bounds = new Bounds(4, 1_024, 128, 4_096);
    telemetry.watch(
        node, new Gate(Algorithms.named("deadline").make(bounds, Duration.ofMillis(8), () -> 1)));
    return telemetry.breaker(node, () -> {});
  }

  private Exposition page() {
    return Exposition.parse(metrics.page("").text());
  }
}
