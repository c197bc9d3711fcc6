package dev.sluice.rulefile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A mapping whose keys have been checked: all are known here, and none comes twice. */
final class Mapping {
  private final Node node;
  private final Reading reading;

  /**
   * Small files have few mappings, and large ones have many small ones: a list is searched fast.
   */
  private final List<String> names;

  private final List<Node> values;

  private Mapping(Node node, Reading reading, int size) {
    this.node = node;
    this.reading = reading;
    names = new ArrayList<>(size);
    values = new ArrayList<>(size);
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
    Mapping mapping = new Mapping(node, reading, pairs.size());
    List<Mapping> merged = List.of();
    for (int i = 0; i < pairs.size(); i++) {
      Node key = pairs.key(i);
      if (key.isMerge()) {
        merged = merged.isEmpty() ? new ArrayList<>() : merged;
        merge(pairs.value(i), vocabulary, reading, merged);
        continue;
      }
      String name = vocabulary.check(key, reading).orElse(null);
      if (name != null && mapping.names.contains(name)) {
        Place place = reading.place(pairs.firstKey(name));
        reading.problem(key, "'%s' is already given at %s (expected it once)", name, place);
      } else if (name != null) {
        mapping.add(name, pairs.value(i));
      }
    }
    merged.forEach(mapping::addAbsent);
    return Optional.of(mapping);
  }

  private void add(String name, Node value) {
    names.add(name);
    values.add(value);
  }

  private void addAbsent(Mapping other) {
    for (int i = 0; i < other.names.size(); i++) {
      if (!has(other.names.get(i))) {
        add(other.names.get(i), other.values.get(i));
      }
    }
  }

  private static void merge(Node from, Vocabulary vocabulary, Reading reading, List<Mapping> into) {
    List<Node> sources = from instanceof Node.Sequence list ? list.elements() : List.of(from);
    for (Node source : sources) {
      if (!(source instanceof Node.Pairs)) {
        reading.problem(source, "'<<' is %s (expected a mapping)", source.describe());
      } else if (reading.enter(source)) {
        of(source, vocabulary, reading).ifPresent(into::add);
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
    return Optional.ofNullable(value(key));
  }

  private @Nullable Node value(String key) {
    int index = names.indexOf(key);
    return index < 0 ? null : values.get(index);
  }

  boolean has(String key) {
    return names.contains(key);
  }

  /** Whether a text is missing or empty; not where something else than text is there. */
  boolean lacks(String key) {
    Node value = value(key);
    return value == null || (value instanceof Node.Scalar scalar && scalar.text().isEmpty());
  }

  /** The text of a scalar; empty where the key is missing or has no value. */
  String text(String key) {
    Node value = value(key);
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
    Node value = value(key);
    return value == null || value.isNull() ? Optional.empty() : Scalars.flag(key, value, reading);
  }

  /**
   * A whole number from this least one to what fits into 32 bits; nothing where the key is missing
   * or something else is there.
   */
  Optional<Long> number(String key, long least) {
    Node value = value(key);
    return value == null ? Optional.empty() : Scalars.number(key, value, least, reading);
  }

  /** The elements of a list; none where the key is missing or has no value. */
  List<Node> list(String key) {
    Node value = value(key);
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
