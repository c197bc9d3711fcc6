package dev.sluice.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.testing.TestClock;
import org.junit.jupiter.api.Test;

class InMemoryBucketStoreTest extends BucketStoreContract {
  private final TestClock clock = new TestClock(0);
  private final InMemoryBucketStore store = new InMemoryBucketStore(clock, clock.ticker(), 1_000);

  @Override
  protected BucketStore store() {
    return store;
  }

  @Override
  protected void setClock(long micros) {
    clock.set(micros);
  }

  @Test
  void aBucketThatIsFullAgainIsNotKept() {
    clock.set(1_000_000);
    take(key("short"), Limit.of(10, Period.SECOND), 5);
    take(key("long"), Limit.of(10, Period.MINUTE), 5);
    assertThat(store.size()).isEqualTo(2);
    clock.set(1_500_001);
    assertThat(store.size()).isEqualTo(1);
    clock.set(40_000_000);
    assertThat(store.size()).isZero();
  }

  @Test
  void aMillionCallersDoNotGrowTheStoreBeyondItsMaximum() {
    for (int i = 0; i < 1_000_000; i++) {
      take(BucketKey.in("d").entry("ip", String.valueOf(i)).build(), Limit.of(1, Period.DAY), 1);
    }
    assertThat(store.size()).isLessThanOrEqualTo(1_000);
  }
}
