package dev.sluice.concurrency;

/**
 * What a limit may be.
 *
 * @param least the smallest, at least 1
 * @param start what it is before anything was learned
 * @param restart what it is after an outage, at most
 * @param most the largest
 */
public record Bounds(int least, int start, int restart, int most) {
  public Bounds {
    if (least < 1 || start < least || restart < least || start > most || restart > most) {
      throw new IllegalArgumentException(
          String.format(
              "the bounds are %d, %d, %d and %d (expected at least 1, and none below the first"
                  + " or above the last)",
              least, start, restart, most));
    }
  }

  /** The same with another beginning, or the nearest to it that is within them. */
  Bounds startingAt(int other) {
    int within = (int) clamp(other);
    return new Bounds(least, within, Math.min(within, restart), most);
  }

  double clamp(double limit) {
    return Math.min(Math.max(limit, least), most);
  }
}
