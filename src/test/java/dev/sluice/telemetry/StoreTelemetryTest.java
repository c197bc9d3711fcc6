package dev.sluice.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.guard.FailurePolicy;
import dev.sluice.guard.Fallback;
import dev.sluice.guard.LastKnown;
import dev.sluice.guard.LocalShares;
import dev.sluice.guard.StandIn;
import dev.sluice.guard.Watched;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.telemetry.StoreTelemetry.Decider;
import dev.sluice.testing.Exposition;
import dev.sluice.testing.TestClock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who decided, as it is exported. */
final class StoreTelemetryTest {
  private final Metrics metrics = new Metrics();
  private final StoreTelemetry telemetry = new StoreTelemetry(metrics);
  private final TestClock clock = new TestClock(1_000_000);
  private boolean down;

  private final BucketStore store =
      new Fallback(
          new Watched(
              telemetry.counted(breakable(memory()), Decider.REDIS),
              clock.ticker()::read,
              telemetry.node("primary")),
          standIn());

  private StandIn standIn() {
    LastKnown lastKnown = new LastKnown(clock.ticker()::read, 1_000);
    LocalShares.Memory memory = new LocalShares.Memory(clock, clock.ticker(), 1_000);
    LocalShares shares = new LocalShares(memory, () -> 1, lastKnown);
    BucketStore local = telemetry.counted(shares, Decider.STAND_IN);
    return new StandIn(
        new StandIn.Shares(shares, lastKnown),
        new FailurePolicy(local, () -> 1_000_000),
        clock.ticker()::read,
        telemetry);
  }

  private BucketStore memory() {
    return new InMemoryBucketStore(clock, clock.ticker(), 1_000);
  }

  private BucketStore breakable(BucketStore behind) {
    return (charges, deadline) -> {
      if (down) {
        return CompletableFuture.failedFuture(
            new BucketStoreException(Reason.TIMEOUT, "no answer"));
      }
      return behind.decide(charges);
    };
  }

  private void take() {
    BucketKey key = BucketKey.in("d").entry("k", "v").build();
    BucketCharge charge =
        new BucketCharge(key, Limit.of(1, Period.DAY), new Charge.Take(1), BucketCharge.Veto.ALONE);
    assertThat(store.decide(List.of(charge)).toCompletableFuture()).isCompleted();
  }

  private double value(String series) {
    return Exposition.parse(metrics.page("").text()).value(series);
  }

  private double decided(String by, String verdict) {
    return value("sluice_bucket_decisions_total{by=\"" + by + "\",verdict=\"" + verdict + "\"}");
  }

  @Test
  void whatRedisDecidesIsCountedAsItsAndTheRestAsTheStandIns() {
    take();
    take();
    down = true;
    take();

    assertThat(decided("redis", "conforms")).isEqualTo(1);
    assertThat(decided("redis", "denied")).isEqualTo(1);
    assertThat(decided("stand_in", "conforms")).isZero();
    assertThat(decided("stand_in", "denied")).isEqualTo(1);
    String labels = "policy=\"local\",reason=\"timeout\",verdict=\"denied\"";
    assertThat(value("sluice_local_decisions_total{" + labels + "}")).isEqualTo(1);
    assertThat(value("sluice_replicas")).isEqualTo(1);
    assertThat(value("sluice_redis_outage{node=\"primary\"}")).isEqualTo(1);
  }

  @Test
  void aCallThatRedisDidNotDecideIsAnErrorOfRedisToo() {
    down = true;
    take();
    take();

    assertThat(value("ratelimit_service_should_rate_limit_error{err_type=\"redis_error\"}"))
        .isEqualTo(2);
    assertThat(value("sluice_redis_failures_total{reason=\"timeout\"}")).isEqualTo(2);
    assertThat(value("sluice_redis_failures_total{reason=\"error\"}")).isZero();
  }
}
