package dev.sluice.rule;

/**
 * One key and its value, as the proxy found them in a request.
 *
 * @param key not empty
 * @param value may be empty
 */
public record Entry(String key, String value) {
  public Entry {
    if (key.isEmpty()) {
      throw new IllegalArgumentException(
          "the key of an entry is empty (expected at least one character)");
    }
  }

  /** Key and value as one name, for metrics. */
  public String label() {
    return value.isEmpty() ? key : key + "_" + value;
  }
}
