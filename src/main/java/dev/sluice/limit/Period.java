package dev.sluice.limit;

/**
 * The span of time over which a limit counts. Months and years have the fixed lengths of 30 and 365
 * days.
 */
public enum Period {
  SECOND(1),
  MINUTE(60),
  HOUR(3_600),
  DAY(86_400),
  WEEK(604_800),
  MONTH(2_592_000),
  YEAR(31_536_000);

  private final long seconds;

  Period(long seconds) {
    this.seconds = seconds;
  }

  /** Its length in seconds. */
  public long seconds() {
    return seconds;
  }

  /** Its length in microseconds. */
  public long micros() {
    return seconds * 1_000_000;
  }
}
