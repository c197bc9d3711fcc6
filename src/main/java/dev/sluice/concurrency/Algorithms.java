package dev.sluice.concurrency;

import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;

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
   * @param waiting the part of the time since it was asked last, from 0 to 1, in which the caller
   *     had nothing to do but wait; where that is little, calls take long because of the caller
   */
  public Algorithm make(Bounds bounds, Duration budget, DoubleSupplier waiting) {
    return switch (this) {
      case DEADLINE -> new TimeGoal(bounds, budget, waiting, new SplittableRandom());
      case VEGAS -> new Vegas(bounds.startingAt(CAREFUL), budget);
      case GRADIENT ->
          new Gradient(bounds.startingAt(CAREFUL), budget, waiting, new SplittableRandom());
    };
  }
}
