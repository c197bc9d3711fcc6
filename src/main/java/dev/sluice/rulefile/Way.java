package dev.sluice.rulefile;

import dev.sluice.rule.Entry;
import java.util.ArrayList;
import java.util.List;

/**
 * The way from the root of a file to a descriptor.
 *
 * @param id for people: the domain, then keys and values
 * @param labels for metrics: a name for each level
 */
record Way(String id, List<String> labels) {
  static Way to(String domain) {
    return new Way(domain, List.of());
  }

  /**
   * One level further. The key may be missing: that is said elsewhere.
   *
   * @param value as it may be told
   */
  Way down(String key, String value) {
    String level = value.isEmpty() ? key : key + "=" + value;
    String label = key.isEmpty() ? "" : new Entry(key, value).label();
    return new Way(id + "." + level, with(label));
  }

  private List<String> with(String label) {
    if (labels.isEmpty()) {
      return List.of(label);
    }
    List<String> longer = new ArrayList<>(labels);
    longer.add(label);
    return List.copyOf(longer);
  }
}
