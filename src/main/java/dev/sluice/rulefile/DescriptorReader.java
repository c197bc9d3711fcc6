package dev.sluice.rulefile;

import dev.sluice.rule.Entry;
import dev.sluice.rule.Naming;
import dev.sluice.rule.WildcardPattern;
import java.util.List;

/** Reads a list of descriptors, and the lists below them. */
final class DescriptorReader {
  private final Reading reading;
  private final String domain;
  private final Merger merger;

  DescriptorReader(Reading reading, String domain) {
    this.reading = reading;
    this.domain = domain;
    this.merger = new Merger(reading);
  }

  /** Reads the descriptors of one level into their parent. */
  void readAll(List<Node> descriptors, Branch parent) {
    for (Node descriptor : descriptors) {
      if (reading.enter(descriptor)) {
        Mapping.of(descriptor, Vocabulary.DESCRIPTOR, reading).ifPresent(it -> read(it, parent));
        reading.leave(descriptor);
      }
    }
  }

  private void read(Mapping descriptor, Branch parent) {
    String key = descriptor.text("key");
    String value = descriptor.text("value");
    boolean hashed = descriptor.flag("hash_value").orElse(false);
    String told = hashed ? hash(key, value) : value;
    Way way = parent.way().down(key, told);
    checkKey(descriptor);
    boolean shared = descriptor.flag("share_threshold").orElse(false);
    if (shared && !WildcardPattern.isPattern(key + value)) {
      reading.problem(
          descriptor.get("share_threshold").orElse(descriptor.node()),
          "share_threshold is set for the value '%s' (expected it for a key or a value with a '*')",
          told);
    }
    Naming naming = new Naming(shared, descriptor.flag("value_to_metric").orElse(false), hashed);
    Place place = reading.place(descriptor.node());
    Branch branch = new Branch(way, place, naming, new RateLimitReader(descriptor, way).read());
    readAll(descriptor.list("descriptors"), branch);
    if (!key.isEmpty()) {
      merger.add(parent, new Entry(key, value), branch);
    }
  }

  /** What is told of a value of the file; a pattern is no secret. */
  private String hash(String key, String value) {
    return WildcardPattern.isPattern(value)
        ? value
        : reading.options().hash().of(domain, key, value);
  }

  private void checkKey(Mapping descriptor) {
    if (descriptor.lacks("key")) {
      reading.problem(
          descriptor.get("key").orElse(descriptor.node()),
          "a descriptor has no key (expected the key of an entry that Envoy sends)");
    }
  }
}
