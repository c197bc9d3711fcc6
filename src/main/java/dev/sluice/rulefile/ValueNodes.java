package dev.sluice.rulefile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Turns values into the nodes that a file with these values would have, so that one reader serves
 * both. Marks carry the path of a value as their name, and count values as lines. Not thread-safe.
 */
final class ValueNodes {
  private static final int[] NO_TEXT = {};

  private int values;

  private ValueNodes() {}

  /** The root of a tree of values, as {@link RuleText.Resource} describes them. */
  static Node of(Map<?, ? extends @Nullable Object> root) {
    return new ValueNodes().mapping("", root);
  }

  private Node node(String path, @Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return mapping(path, map);
    }
    if (value instanceof List<?> list) {
      Mark mark = mark(path);
      List<Node> elements = new ArrayList<>(list.size());
      for (int i = 0; i < list.size(); i++) {
        elements.add(node(path + "[" + i + "]", list.get(i)));
      }
      return new SequenceNode(Tag.SEQ, true, elements, mark, mark, FlowStyle.BLOCK);
    }
    return scalar(path, value);
  }

  private Node mapping(String path, Map<?, ? extends @Nullable Object> map) {
    Mark mark = mark(path);
    List<NodeTuple> tuples = new ArrayList<>(map.size());
    map.forEach(
        (key, value) -> {
          String name = String.valueOf(key);
          String below = path.isEmpty() ? name : path + "." + name;
          tuples.add(new NodeTuple(text(below, name), node(below, value)));
        });
    return new MappingNode(Tag.MAP, true, tuples, mark, mark, FlowStyle.BLOCK);
  }

  private Node scalar(String path, @Nullable Object value) {
    if (value == null) {
      return plain(Tag.NULL, "null", path);
    }
    if (value instanceof Boolean) {
      return plain(Tag.BOOL, value.toString(), path);
    }
    if (value instanceof Double number) {
      return plain(Tag.FLOAT, inYaml(number), path);
    }
    return value instanceof Number
        ? plain(Tag.INT, value.toString(), path)
        : text(path, value.toString());
  }

  private static String inYaml(double number) {
    if (Double.isFinite(number)) {
      return Double.toString(number);
    }
    return Double.isNaN(number) ? ".nan" : number > 0 ? ".inf" : "-.inf";
  }

  private Node plain(Tag tag, String text, String path) {
    Mark mark = mark(path);
    return new ScalarNode(tag, text, mark, mark, ScalarStyle.PLAIN);
  }

  private Node text(String path, String text) {
    Mark mark = mark(path);
    return new ScalarNode(Tag.STR, text, mark, mark, ScalarStyle.DOUBLE_QUOTED);
  }

  private Mark mark(String path) {
    return new Mark(path, 0, values++, 0, NO_TEXT, 0);
  }
}
