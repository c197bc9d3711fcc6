package dev.sluice.limit;

/** What is asked of one bucket. Units are at least 1. */
public sealed interface Charge {
  /** How many units it is about. */
  long units();

  /** Whether it tells what has happened already, so that it is carried out either way. */
  default boolean reports() {
    return this instanceof Force || this instanceof Give;
  }

  /** The same without taking anything; a report stays what it is. */
  default Charge onlyLooking() {
    if (this instanceof Take take) {
      return new Look(take.units);
    }
    return this instanceof UpTo ? new Look(1) : this;
  }

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
   * Takes as many of the units as conform, but only a part of what the bucket holds; it conforms if
   * that is at least one. So several who take at the same time all find something.
   *
   * @param share which part: one in so many, from 1 to {@link #MOST}, but at least one unit. 1 is
   *     all of it
   */
  record UpTo(long units, long share) implements Charge {
    /**
     * The largest product of a grant and its share: keeps the products of the Redis script below
     * 2^53.
     */
    public static final long MOST = 1L << 20;

    public UpTo {
      check(units);
      if (share < 1 || share > MOST) {
        throw new IllegalArgumentException(
            "a share of one in " + share + " (expected from 1 to " + MOST + ")");
      }
    }

    /** Takes as many as there are. */
    public UpTo(long units) {
      this(units, 1);
    }

    /** The most that may be granted: what is asked for, as far as it can be counted. */
    public long most() {
      return Math.min(units, MOST / share);
    }

    /** What is granted of so many units that are left. */
    long of(long remaining) {
      long counted = Math.min(remaining, most() * share);
      return counted == 0 ? 0 : Math.max(1, counted / share);
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
