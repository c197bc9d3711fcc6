package dev.sluice.concurrency;

import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;

/** The algorithms that learn, by the names that settings give them. */
public enum Algorithms {
  /** {@link TimeGoal}. */
  DEADLINE,
  /** {@link Vegas}. */
  VEGAS,
  /** {@link Gradient}. */
  GRADIENT;

  /** How many calls Vegas and the gradient begin with: they feel their way up. */
  private static final int CAREFUL = 32;

  /** The one of that name, in any case. */
  public static Algorithms named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /**
   * A new one.
   *
   * @param bounds of its limit
   * @param budget the time there is for a call
   */
  public Algorithm make(Bounds bounds, Duration budget) {
    return switch (this) {
      case DEADLINE -> new TimeGoal(bounds, budget, new SplittableRandom());
      case VEGAS -> new Vegas(bounds.startingAt(CAREFUL), budget);
      case GRADIENT -> new Gradient(bounds.startingAt(CAREFUL), budget, new SplittableRandom());
    };
  }
}
