package dev.sluice.rulefile;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** A mapping whose keys have been checked: all are known here, and none comes twice. */
final class Mapping {
  private final Node node;
  private final Reading reading;
  private final Map<String, Node> values;

  private Mapping(Node node, Reading reading, Map<String, Node> values) {
    this.node = node;
    this.reading = reading;
    this.values = values;
  }

  /**
   * Reads a node that should be a mapping with keys of this vocabulary; nothing where it is another
   * kind of node.
   */
  static Optional<Mapping> of(Node node, Vocabulary vocabulary, Reading reading) {
    if (!(node instanceof MappingNode mapping)) {
      reading.problem(
          node, "%s is %s (expected a mapping)", vocabulary.what(), Scalars.describe(node));
      return Optional.empty();
    }
    Map<String, Node> values = new LinkedHashMap<>();
    Map<String, Node> merged = new HashMap<>();
    Map<String, Place> places = new HashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      Node key = tuple.getKeyNode();
      if (Tag.MERGE.equals(key.getTag())) {
        merge(tuple.getValueNode(), vocabulary, reading, merged);
        continue;
      }
      vocabulary
          .check(key, reading)
          .ifPresent(
              name -> {
                Place earlier = places.putIfAbsent(name, reading.place(key));
                if (earlier != null) {
                  reading.problem(
                      key, "'%s' is already given at %s (expected it once)", name, earlier);
                }
                values.put(name, tuple.getValueNode());
              });
    }
    merged.forEach(values::putIfAbsent);
    return Optional.of(new Mapping(node, reading, values));
  }

  private static void merge(
      Node from, Vocabulary vocabulary, Reading reading, Map<String, Node> into) {
    List<Node> sources = from instanceof SequenceNode list ? list.getValue() : List.of(from);
    for (Node source : sources) {
      if (!(source instanceof MappingNode)) {
        reading.problem(source, "'<<' is %s (expected a mapping)", Scalars.describe(source));
      } else if (reading.enter(source)) {
        of(source, vocabulary, reading)
            .ifPresent(mapping -> mapping.values.forEach(into::putIfAbsent));
        reading.leave(source);
      }
    }
  }

  Node node() {
    return node;
  }

  Reading reading() {
    return reading;
  }

  Optional<Node> get(String key) {
    return Optional.ofNullable(values.get(key));
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  /** Whether a text is missing or empty; not where something else than text is there. */
  boolean lacks(String key) {
    return get(key)
        .map(value -> value instanceof ScalarNode && Scalars.text(value).isEmpty())
        .orElse(true);
  }

  /** The text of a scalar; empty where the key is missing or has no value. */
  String text(String key) {
    Node value = values.get(key);
    if (value == null) {
      return "";
    }
    if (!(value instanceof ScalarNode)) {
      reading.problem(value, "%s is %s (expected text)", key, Scalars.describe(value));
      return "";
    }
    if (Numbers.isFraction(value)) {
      reading.problem(
          value,
          "%s is the number %s (expected text; write '%s' in quotes)",
          key,
          Scalars.text(value),
          Scalars.text(value));
    }
    return Scalars.text(value);
  }

  /** A yes or no; the default where the key is missing or has no value. */
  Optional<Boolean> flag(String key) {
    return get(key)
        .filter(value -> !Scalars.isNull(value))
        .flatMap(value -> Scalars.flag(key, value, reading));
  }

  /**
   * A whole number from this least one to what fits into 32 bits; nothing where the key is missing
   * or something else is there.
   */
  Optional<Long> number(String key, long least) {
    return get(key).flatMap(value -> Scalars.number(key, value, least, reading));
  }

  /** The elements of a list; none where the key is missing or has no value. */
  List<Node> list(String key) {
    Node value = values.get(key);
    if (value == null || Scalars.isNull(value)) {
      return List.of();
    }
    if (!(value instanceof SequenceNode list)) {
      reading.problem(value, "%s is %s (expected a list)", key, Scalars.describe(value));
      return List.of();
    }
    return list.getValue();
  }
}
