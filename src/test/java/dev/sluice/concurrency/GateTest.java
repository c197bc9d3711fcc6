package dev.sluice.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GateTest {
  @Test
  void onePermitIsNeverTooMuch() {
    Gate gate = new Gate(new Fixed(1));
    assertThat(gate.enter(0.6)).isEqualTo(1);
    assertThat(gate.enter(1)).isZero();
    gate.leave();
    assertThat(gate.enter(0.6)).isEqualTo(1);
  }

  @Test
  void howeverManyThreadsAskThereAreNeverMorePermitsThanTheLimit() throws InterruptedException {
    int limit = 7;
    Gate gate = new Gate(new Fixed(limit));
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger entered = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int j = 0; j < 20_000; j++) {
                  int place = gate.enter(1);
                  if (place > 0) {
                    entered.incrementAndGet();
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    inside.decrementAndGet();
                    gate.leave(place, 1, j);
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(most.get()).isLessThanOrEqualTo(limit);
    assertThat(entered.get()).isPositive();
    assertThat(gate.underWay()).isZero();
  }
}
