package dev.sluice.rulefile;

import dev.sluice.rule.Entry;
import dev.sluice.rule.Naming;
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
  void readAll(List<Node> descriptors, Way parent, RuleNode.Builder into) {
    Map<Entry, Place> seen = new HashMap<>();
    for (Node descriptor : descriptors) {
      if (reading.enter(descriptor)) {
        Mapping.of(descriptor, Vocabulary.DESCRIPTOR, reading)
            .ifPresent(it -> read(it, parent, into, seen));
        reading.leave(descriptor);
      }
    }
  }

  private void read(Mapping descriptor, Way parent, RuleNode.Builder into, Map<Entry, Place> seen) {
    String key = descriptor.text("key");
    String value = descriptor.text("value");
    Way way = parent.down(key, value);
    checkKey(descriptor);
    boolean shared = descriptor.flag("share_threshold").orElse(false);
    if (shared && !WildcardPattern.isPattern(key + value)) {
      reading.problem(
          descriptor.get("share_threshold").orElse(descriptor.node()),
          "share_threshold is set for the value '%s' (expected it for a key or a value with a '*')",
          value);
    }
    RuleNode.Builder node = RuleNode.builder();
    new RateLimitReader(descriptor, way).read().ifPresent(node::rule);
    readAll(descriptor.list("descriptors"), way, node);
    if (key.isEmpty()) {
      return;
    }
    Place earlier = seen.putIfAbsent(new Entry(key, value), reading.place(descriptor.node()));
    if (earlier != null) {
      reading.problem(
          descriptor.node(),
          "'%s' is already defined at %s (expected it once on a level)",
          way.id(),
          earlier);
      return;
    }
    boolean valueToMetric = descriptor.flag("value_to_metric").orElse(false);
    into.child(key, value, new Naming(shared, valueToMetric), node.build());
  }

  private void checkKey(Mapping descriptor) {
    if (descriptor.lacks("key")) {
      reading.problem(
          descriptor.get("key").orElse(descriptor.node()),
          "a descriptor has no key (expected the key of an entry that Envoy sends)");
    }
  }
}
