package dev.sluice.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.local.DenyCache;
import dev.sluice.local.LeaseSize;
import dev.sluice.local.Leases;
import dev.sluice.telemetry.StoreTelemetry.Decider;
import dev.sluice.testing.Exposition;
import dev.sluice.testing.TestClock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is decided without asking, as it is exported. */
final class LocalTelemetryTest {
  private static final Limit LIMIT = Limit.of(1_000, Period.YEAR);

  private final Metrics metrics = new Metrics();
  private final StoreTelemetry stores = new StoreTelemetry(metrics);
  private final LocalTelemetry telemetry = new LocalTelemetry(metrics, stores);
  private final TestClock clock = new TestClock(1_000_000);
  private final BucketStore memory =
      stores.counted(new InMemoryBucketStore(clock, clock.ticker(), 10), Decider.REDIS);
  private final Leases leases =
      new Leases(
          new DenyCache(memory, clock.ticker()::read, 10, false, telemetry),
          clock.ticker()::read,
          new LeaseSize(5, () -> 1),
          10,
          telemetry);

  private boolean take() {
    BucketKey key = BucketKey.in("d").entry("k", "v").build();
    BucketCharge charge = new BucketCharge(key, LIMIT, new Charge.Take(1), Veto.ALONE);
    return leases.decide(List.of(charge)).toCompletableFuture().join().get(0).conforms();
  }

  private double value(String series) {
    return Exposition.parse(metrics.page("").text()).value(series);
  }

  private double decided(String by, String verdict) {
    return value("sluice_bucket_decisions_total{by=\"" + by + "\",verdict=\"" + verdict + "\"}");
  }

  private double units(String event) {
    return value("sluice_lease_units_total{event=\"" + event + "\"}");
  }

  @Test
  void everyDecisionIsCountedWhereItWasMadeAndEveryUnitThatWasTakenInAdvanceIsAccountedFor() {
    int denied = 0;
    for (int i = 0; i < 1_500; i++) {
      denied += take() ? 0 : 1;
    }
    assertThat(denied).isEqualTo(500);
    assertThat(decided("lease", "conforms")).isEqualTo(units("spent")).isGreaterThan(500);
    assertThat(decided("deny_cache", "denied")).isGreaterThan(400);
    assertThat(decided("lease", "denied")).isZero();
    assertThat(decided("redis", "conforms")).isBetween(1.0, 300.0);
    assertThat(value("sluice_lease_units_held")).isZero();
    assertThat(value("sluice_lease_overshoot_bound_ratio_bucket{le=\"0.05\"}"))
        .isEqualTo(value("sluice_lease_overshoot_bound_ratio_count"))
        .isPositive();
  }

  @Test
  void unitsThatAreHeldAreThoseGrantedThatWereNotSpentOrCalledBack() {
    for (int i = 0; i < 100; i++) {
      take();
    }
    double held = value("sluice_lease_units_held");
    assertThat(held).isPositive().isEqualTo(units("granted") - units("spent"));
    var unused = leases.giveBackAll();
    assertThat(units("called_back")).isEqualTo(held);
    assertThat(units("lost")).isZero();
    assertThat(value("sluice_lease_units_held")).isZero();
  }
}
