package dev.sluice.xds;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/** How often something has been tried in vain, and so how long to wait. Not thread-safe. */
final class Backoff {
  private final Waits waits;
  private final DoubleSupplier random;
  private int tried;

  /**
   * Nothing has been tried.
   *
   * @param random numbers from 0 to 1
   */
  Backoff(Waits waits, DoubleSupplier random) {
    this.waits = waits;
    this.random = random;
  }

  /** The wait before the next time. */
  Duration next() {
    Duration wait = least(tried == 0 ? waits.first() : doubled(tried - 1));
    tried++;
    double factor = 1 + waits.spread() * (2 * random.getAsDouble() - 1);
    return Duration.ofNanos((long) (wait.toNanos() * factor));
  }

  private Duration doubled(int times) {
    Duration wait = least(waits.next());
    for (int i = 0; i < times && wait.compareTo(waits.most()) < 0; i++) {
      wait = least(wait.plus(wait));
    }
    return wait;
  }

  private Duration least(Duration wait) {
    return wait.compareTo(waits.most()) < 0 ? wait : waits.most();
  }

  /** It went well. */
  void reset() {
    tried = 0;
  }
}
