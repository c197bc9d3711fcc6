package dev.sluice.rule;

/**
 * How buckets and metrics below a way down the tree are named.
 *
 * @param shared whether all entries that fit its pattern share one bucket
 * @param valueToMetric whether metrics are named after the value of the request
 */
public record Naming(boolean shared, boolean valueToMetric) {
  /** Buckets after the request, metrics after the file. */
  public static final Naming PLAIN = new Naming(false, false);

  /** Buckets and metrics after the file. */
  public static final Naming SHARED = new Naming(true, false);
}
