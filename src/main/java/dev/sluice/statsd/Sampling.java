package dev.sluice.statsd;

import java.math.BigDecimal;

/**
 * Which calls of many are told of. Of all calls in the order of their times, beginning with the
 * slowest, it takes each so-and-so-manieth: so the slowest is always told, and what is told has the
 * same shape as the whole.
 *
 * @param every one call stands for so many: a power of two, so that its inverse is exact
 */
record Sampling(int every) {
  private static final int MOST_LINES = 1_000;
  private static final int LARGEST = 1 << 30;

  /** Takes a call. */
  interface Taker {
    void take(int millis);
  }

  /** The finest that is a thousand calls at most. */
  static Sampling of(long calls) {
    int every = 1;
    while (calls > (long) MOST_LINES * every && every < LARGEST) {
      every *= 2;
    }
    return new Sampling(every);
  }

  /** Says what part is taken, as a suffix of a value; nothing where it is all. */
  String rate() {
    return every == 1 ? "" : "|@" + new BigDecimal(1.0 / every).toPlainString();
  }

  /**
   * Goes through calls.
   *
   * @param calls at each place those that took so many milliseconds
   */
  void take(long[] calls, Taker taker) {
    long skip = 0;
    for (int millis = calls.length - 1; millis >= 0; millis--) {
      long left = calls[millis];
      while (left > skip) {
        taker.take(millis);
        left -= skip + 1;
        skip = every - 1L;
      }
      skip -= left;
    }
  }
}
