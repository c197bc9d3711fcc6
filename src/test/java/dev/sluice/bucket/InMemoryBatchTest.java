package dev.sluice.bucket;

import dev.sluice.testing.TestClock;

class InMemoryBatchTest extends BatchStoreContract {
  private final TestClock clock = new TestClock(0);
  private final InMemoryBucketStore store = new InMemoryBucketStore(clock, clock.ticker(), 10_000);

  @Override
  protected BatchStore store() {
    return store;
  }

  @Override
  protected void setClock(long micros) {
    clock.set(micros);
  }
}
