package dev.sluice.rulefile;

import dev.sluice.rule.Entry;
import dev.sluice.rule.RuleNode;
import dev.sluice.rule.WildcardPattern;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.nodes.Node;

/** Reads a list of descriptors, and the lists below them. */
final class DescriptorReader {
  private final Reading reading;

  DescriptorReader(Reading reading) {
    this.reading = reading;
  }

  /** Reads the descriptors of one level into their parent, whose id is given. */
  void readAll(List<Node> descriptors, String parent, RuleNode.Builder into) {
    Map<Entry, Place> seen = new HashMap<>();
    for (Node descriptor : descriptors) {
      if (reading.enter(descriptor)) {
        Mapping.of(descriptor, Vocabulary.DESCRIPTOR, reading)
            .ifPresent(it -> read(it, parent, into, seen));
        reading.leave(descriptor);
      }
    }
  }

  private void read(
      Mapping descriptor, String parent, RuleNode.Builder into, Map<Entry, Place> seen) {
    String key = descriptor.text("key");
    String value = descriptor.text("value");
    String id = parent + "." + (value.isEmpty() ? key : key + "=" + value);
    checkKey(descriptor, key);
    boolean shared = descriptor.flag("share_threshold").orElse(false);
    if (shared && !WildcardPattern.isPattern(value)) {
      reading.problem(
          descriptor.get("share_threshold").orElse(descriptor.node()),
          "share_threshold is set for the value '%s' (expected it for a value with a '*' only)",
          value);
    }
    RuleNode.Builder node = RuleNode.builder();
    new RateLimitReader(descriptor, id).read().ifPresent(node::rule);
    readAll(descriptor.list("descriptors"), id, node);
    if (key.isEmpty()) {
      return;
    }
    Place earlier = seen.putIfAbsent(new Entry(key, value), reading.place(descriptor.node()));
    if (earlier != null) {
      reading.problem(
          descriptor.node(),
          "'%s' is already defined at %s (expected it once on a level)",
          id,
          earlier);
      return;
    }
    into.child(key, value, shared, node.build());
  }

  private void checkKey(Mapping descriptor, String key) {
    Node node = descriptor.get("key").orElse(descriptor.node());
    if (descriptor.lacks("key")) {
      reading.problem(
          node, "a descriptor has no key (expected the key of an entry that Envoy sends)");
    }
    if (WildcardPattern.isPattern(key)) {
      reading.problem(node, "the key '%s' has a '*' (expected it in a value only)", key);
    }
  }
}
