package dev.sluice.rulefile;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    if (!(node instanceof Node.Pairs pairs)) {
      reading.problem(node, "%s is %s (expected a mapping)", vocabulary.what(), node.describe());
      return Optional.empty();
    }
    Map<String, Node> values = new LinkedHashMap<>();
    Map<String, Node> merged = new HashMap<>();
    Map<String, Node> keys = new HashMap<>();
    for (int i = 0; i < pairs.size(); i++) {
      Node key = pairs.key(i);
      if (key.isMerge()) {
        merge(pairs.value(i), vocabulary, reading, merged);
        continue;
      }
      String name = vocabulary.check(key, reading).orElse(null);
      if (name != null) {
        Node earlier = keys.putIfAbsent(name, key);
        if (earlier != null) {
          Place place = reading.place(earlier);
          reading.problem(key, "'%s' is already given at %s (expected it once)", name, place);
        }
        values.put(name, pairs.value(i));
      }
    }
    merged.forEach(values::putIfAbsent);
    return Optional.of(new Mapping(node, reading, values));
  }

  private static void merge(
      Node from, Vocabulary vocabulary, Reading reading, Map<String, Node> into) {
    List<Node> sources = from instanceof Node.Sequence list ? list.elements() : List.of(from);
    for (Node source : sources) {
      if (!(source instanceof Node.Pairs)) {
        reading.problem(source, "'<<' is %s (expected a mapping)", source.describe());
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
        .map(value -> value instanceof Node.Scalar scalar && scalar.text().isEmpty())
        .orElse(true);
  }

  /** The text of a scalar; empty where the key is missing or has no value. */
  String text(String key) {
    Node value = values.get(key);
    if (value == null) {
      return "";
    }
    if (!(value instanceof Node.Scalar scalar)) {
      reading.problem(value, "%s is %s (expected text)", key, value.describe());
      return "";
    }
    String text = scalar.text();
    if (Numbers.isFraction(scalar)) {
      reading.problem(
          value, "%s is the number %s (expected text; write '%s' in quotes)", key, text, text);
    }
    return text;
  }

  /** A yes or no; the default where the key is missing or has no value. */
  Optional<Boolean> flag(String key) {
    return get(key)
        .filter(value -> !value.isNull())
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
    if (value == null || value.isNull()) {
      return List.of();
    }
    if (!(value instanceof Node.Sequence list)) {
      reading.problem(value, "%s is %s (expected a list)", key, value.describe());
      return List.of();
    }
    return list.elements();
  }
}
