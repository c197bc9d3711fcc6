package dev.sluice.statsd;

/** What is counted here, for whoever sends it on. It is asked by one thread at a time. */
public interface Stats {
  /** Tells what has been counted since it was last asked, and how high everything stands now. */
  void tell(Hearer hearer);

  /**
   * Who is told. Names have their levels parted by dots, and neither {@code :}, {@code |} nor a
   * control character in them; they go without the tags that all of them have.
   */
  interface Hearer {
    /** A counter grew by so much, at least 1. */
    void count(String name, long more);

    /** How high something stands. */
    void gauge(String name, long level);

    /**
     * How many calls took how long.
     *
     * @param calls at each place those that took so many whole milliseconds
     */
    void times(String name, long[] calls);
  }
}
