package dev.sluice.limit;

/** What is asked of one bucket. Units are at least 1. */
public sealed interface Charge {
  /** How many units it is about. */
  long units();

  /** Takes the units if all of them conform, else none. */
  record Take(long units) implements Charge {
    public Take {
      check(units);
    }
  }

  /** Asks whether the units would conform, and takes none. */
  record Look(long units) implements Charge {
    public Look {
      check(units);
    }
  }

  /**
   * Takes as many of the units as conform, at most {@link #MOST} at a time; it conforms if that is
   * at least one.
   */
  record UpTo(long units) implements Charge {
    /** The largest grant: keeps the products of the Redis script below 2^53. */
    public static final long MOST = 1L << 20;

    public UpTo {
      check(units);
    }
  }

  /**
   * Records units that are spent already, whether they conform or not, as far as the limit's debt
   * goes.
   */
  record Force(long units) implements Charge {
    public Force {
      check(units);
    }
  }

  /** Gives units back, never beyond a full bucket. It always conforms. */
  record Give(long units) implements Charge {
    public Give {
      check(units);
    }
  }

  private static void check(long units) {
    if (units < 1) {
      throw new IllegalArgumentException(units + " units cannot be charged (expected at least 1)");
    }
  }
}
