package dev.sluice;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.sluice.bucket.BucketStore;
import dev.sluice.guard.FailurePolicy;
import dev.sluice.guard.LastKnown;
import dev.sluice.guard.LocalShares;
import dev.sluice.guard.StandIn;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.Settings;
import dev.sluice.telemetry.StoreTelemetry;
import dev.sluice.telemetry.StoreTelemetry.Decider;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** Makes what decides when Redis does not. */
final class WithoutRedis {
  /** Of more buckets than this, what Redis said last is not remembered: about 20 MB. */
  private static final int MOST_REMEMBERED = 100_000;

  private WithoutRedis() {}

  /**
   * A stand-in for one Redis, or for all parts of one that is spread.
   *
   * @param servers how many share the limits, this one included
   */
  static StandIn standIn(Settings settings, StoreTelemetry telemetry, IntSupplier servers) {
    int most = settings.get(Catalogue.LOCAL_BUCKETS);
    LastKnown lastKnown = new LastKnown(System::nanoTime, Math.min(most, MOST_REMEMBERED));
    LocalShares shares =
        new LocalShares(
            new LocalShares.Memory(InstantSource.system(), Ticker.systemTicker(), most),
            servers,
            lastKnown);
    BucketStore local = telemetry.counted(shares, Decider.STAND_IN);
    return new StandIn(
        new StandIn.Shares(shares, lastKnown),
        new FailurePolicy(local, WithoutRedis::denial),
        System::nanoTime,
        telemetry);
  }

  /** One to three seconds, so that those who are sent away together do not come back together. */
  private static long denial() {
    return TimeUnit.SECONDS.toMicros(ThreadLocalRandom.current().nextInt(1, 4));
  }
}
