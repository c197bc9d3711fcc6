package dev.sluice.rulefile;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Turns values into the nodes that a file with these values would have, so that one reader serves
 * both. Their places are paths, and values are counted as lines. Not thread-safe.
 */
final class ValueNodes {
  private int values;

  private ValueNodes() {}

  /** The root of a tree of values, as {@link RuleText.Resource} describes them. */
  static Node of(Map<?, ? extends @Nullable Object> root) {
    return new ValueNodes().mapping(ValuePath.ROOT, root);
  }

  private Node node(ValuePath path, @Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return mapping(path, map);
    }
    return value instanceof List<?> list ? sequence(path, list) : scalar(path, value);
  }

  private Node mapping(ValuePath path, Map<?, ? extends @Nullable Object> map) {
    Node.Pairs pairs = new Node.Pairs(next(path));
    List<Node> keysAndValues = new ArrayList<>(2 * map.size());
    map.forEach(
        (key, value) -> {
          String name = String.valueOf(key);
          ValuePath below = path.down(name);
          keysAndValues.add(text(below, name));
          keysAndValues.add(node(below, value));
        });
    return pairs.with(keysAndValues);
  }

  private Node sequence(ValuePath path, List<?> list) {
    return new Node.Sequence(next(path)).with(new Elements(path, list));
  }

  /** Makes each element when it is read, so that a large set is not there twice. */
  private final class Elements extends AbstractList<Node> {
    private final ValuePath path;
    private final List<?> values;

    Elements(ValuePath path, List<?> values) {
      this.path = path;
      this.values = values;
    }

    @Override
    public Node get(int index) {
      return node(path.down(index), values.get(index));
    }

    @Override
    public int size() {
      return values.size();
    }
  }

  private Node scalar(ValuePath path, @Nullable Object value) {
    if (value == null) {
      return plain(path, "null", Tag.NULL);
    }
    if (value instanceof Boolean) {
      return plain(path, value.toString(), Tag.BOOL);
    }
    if (value instanceof Double number) {
      return plain(path, inYaml(number), Tag.FLOAT);
    }
    return value instanceof Number
        ? plain(path, value.toString(), Tag.INT)
        : text(path, value.toString());
  }

  private static String inYaml(double number) {
    if (Double.isFinite(number)) {
      return Double.toString(number);
    }
    return Double.isNaN(number) ? ".nan" : number > 0 ? ".inf" : "-.inf";
  }

  private Node plain(ValuePath path, String text, Tag tag) {
    return new Node.Scalar(next(path), text, new Node.Style(true, tag));
  }

  private Node text(ValuePath path, String text) {
    return new Node.Scalar(next(path), text, Node.Style.QUOTED);
  }

  private Node.Spot next(ValuePath path) {
    return new Node.Spot(values++, 0, path);
  }
}
