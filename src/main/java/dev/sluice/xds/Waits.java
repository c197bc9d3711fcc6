package dev.sluice.xds;

import java.time.Duration;

/**
 * How long to wait before something is tried again.
 *
 * @param first before the first time
 * @param next before the second time; doubled for each one more
 * @param most the longest wait
 * @param spread by which part of itself a wait varies, up or down; 0 to 1
 */
public record Waits(Duration first, Duration next, Duration most, double spread) {
  public Waits {
    if (!(spread >= 0 && spread <= 1)) {
      throw new IllegalArgumentException("spread is " + spread + " (expected 0 to 1)");
    }
  }
}
