package dev.sluice.rulefile;

import dev.sluice.rule.SlotBy;
import java.util.Optional;

/** Reads what the buckets of a domain share a slot of a cluster by. */
final class SlotReader {
  static final String KEY = "slot_by";

  /** The word that stands for all buckets of the domain. */
  static final String DOMAIN = "domain";

  private SlotReader() {}

  /** What the root of a file says; nothing where it says nothing, or something else. */
  static Optional<Said<SlotBy>> read(Mapping file) {
    Optional<Node> value = file.get(KEY).filter(it -> !it.isNull());
    if (value.isEmpty()) {
      return Optional.empty();
    }
    String key = file.text(KEY);
    boolean good = !key.isEmpty() && key.indexOf('*') < 0;
    if (!good && value.get() instanceof Node.Scalar) {
      file.reading()
          .problem(
              value.get(),
              "%s is '%s' (expected the key of an entry, without a '*', or the word %s)",
              KEY,
              key,
              DOMAIN);
    }
    SlotBy slotBy = key.equals(DOMAIN) ? SlotBy.DOMAIN : new SlotBy.Key(key);
    return good
        ? Optional.of(new Said<>(slotBy, file.reading().place(value.get())))
        : Optional.empty();
  }
}
