package dev.sluice.rule;

/**
 * How buckets and metrics below a way down the tree are named.
 *
 * @param shared whether all entries that fit its pattern share one bucket
 * @param valueToMetric whether metrics are named after the value of the request
 * @param hashed whether values are told as hashes only
 */
public record Naming(boolean shared, boolean valueToMetric, boolean hashed) {
  /** Buckets after the request, metrics after the file. */
  public static final Naming PLAIN = new Naming(false, false, false);

  /** Buckets and metrics after the file. */
  public static final Naming SHARED = new Naming(true, false, false);
}
