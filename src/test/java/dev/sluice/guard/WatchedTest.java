package dev.sluice.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreContract;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.testing.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WatchedTest extends BucketStoreContract {
  private final TestClock clock = new TestClock(1_000_000);
  private final List<String> seen = new ArrayList<>();
  private final BucketStore memory = new InMemoryBucketStore(clock, clock.ticker(), 1_000);
  private boolean down;
  private final BucketStore store =
      new Watched(
          (charges, deadline) ->
              down
                  ? CompletableFuture.failedFuture(
                      new BucketStoreException(Reason.TIMEOUT, "no answer"))
                  : memory.decide(charges, deadline),
          clock.ticker()::read,
          new OutageObserver() {
            @Override
            public void began(Throwable cause) {
              seen.add("began: " + cause.getMessage());
            }

            @Override
            public void ended(Duration length, long calls) {
              seen.add("ended after " + calls);
            }
          });

  @Override
  protected BucketStore store() {
    return store;
  }

  @Override
  protected void setClock(long micros) {
    clock.set(micros);
  }

  @Test
  void itsOutageIsToldOfAndItsFailuresAreHandedOn() {
    decide();
    down = true;
    for (int i = 0; i < 3; i++) {
      assertThat(store.decide(List.of()).toCompletableFuture()).isCompletedExceptionally();
    }
    down = false;
    clock.set(clock.micros() + 2_000_000);
    decide();
    assertThat(seen).containsExactly("began: no answer", "ended after 3");
  }
}
