package dev.sluice.decision;

/** How many units a descriptor is about, and whether they are asked for or reported. */
public sealed interface Hits {
  /** Units that the request counts for: taken only if the whole request is allowed. At least 1. */
  record Asked(long units) implements Hits {}

  /** Units that are spent already: taken either way. At least 1. */
  record Reported(long units) implements Hits {}

  /** Units that are given back. At least 1. */
  record Returned(long units) implements Hits {}

  /** None: whether one whole unit would fit. */
  record Looked() implements Hits {}
}
