package dev.sluice.decision;

import dev.sluice.bucket.Terms.Priority;
import dev.sluice.rule.Entry;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The priority that a request states itself, in an entry of one of its descriptors.
 *
 * <p>It is believed, so the key has to be one that the proxy sets and no client can.
 */
final class StatedPriority {
  private static final Map<String, Priority> WORDS =
      Map.of(
          "critical", Priority.CRITICAL,
          "high", Priority.CRITICAL,
          "default", Priority.DEFAULT,
          "medium", Priority.DEFAULT,
          "sheddable", Priority.SHEDDABLE,
          "low", Priority.SHEDDABLE);

  private StatedPriority() {}

  /** The first that is stated, if one is; of words that mean nothing, nothing is made. */
  static Optional<Priority> of(Query query, String key) {
    if (key.isEmpty()) {
      return Optional.empty();
    }
    for (Descriptor descriptor : query.descriptors()) {
      for (Entry entry : descriptor.entries()) {
        if (entry.key().equals(key)) {
          Priority stated = WORDS.get(entry.value().toLowerCase(Locale.ROOT));
          if (stated != null) {
            return Optional.of(stated);
          }
        }
      }
    }
    return Optional.empty();
  }
}
