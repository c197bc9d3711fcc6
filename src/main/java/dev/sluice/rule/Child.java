package dev.sluice.rule;

/**
 * A place one level down, and how it is reached.
 *
 * @param key of the entries that lead to it; may be a pattern
 * @param value of them; may be a pattern, or empty for every value
 * @param naming what else the way says
 * @param node the place
 */
record Child(String key, String value, Naming naming, RuleNode node) {
  /** Whether it is reached by a pattern. */
  boolean isPattern() {
    return WildcardPattern.isPattern(key) || WildcardPattern.isPattern(value);
  }

  /** How an entry comes to it. */
  Trace.Choice choice() {
    if (isPattern()) {
      return Trace.Choice.PATTERN;
    }
    return value.isEmpty() ? Trace.Choice.ANY_VALUE : Trace.Choice.EXACT;
  }

  /** Key and value as they are written. */
  Entry written() {
    return new Entry(key, value);
  }

  /**
   * What the level is called in metrics.
   *
   * @param entry of the request, as it may be told
   * @param written key and value in the file, as they may be told
   * @param detailed whether the rule at the end wants the values of the request
   * @param someShare whether some level of the path shares its buckets
   */
  String label(Entry entry, Entry written, boolean detailed, boolean someShare) {
    if (naming.shared()) {
      return written.label();
    }
    if (detailed) {
      return someShare ? entry.label() : entry.key() + "_" + entry.value();
    }
    boolean afterRequest = naming.valueToMetric() && (value.isEmpty() || isPattern());
    return (afterRequest ? entry : written).label();
  }
}
