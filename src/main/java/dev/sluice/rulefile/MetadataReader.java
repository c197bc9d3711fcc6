package dev.sluice.rulefile;

import static java.util.regex.Pattern.CASE_INSENSITIVE;

import dev.sluice.rule.Metadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Reads free data: whatever JSON can say, by what YAML takes plain scalars for. */
final class MetadataReader {
  private static final Pattern NOT_FINITE = Pattern.compile("[+-]?\\.(inf|nan)", CASE_INSENSITIVE);

  private final Reading reading;

  private MetadataReader(Reading reading) {
    this.reading = reading;
  }

  /** The metadata of a descriptor; none where it has none, or some with problems. */
  static Metadata read(Mapping descriptor) {
    return descriptor
        .get("metadata")
        .filter(node -> !Scalars.isNull(node))
        .map(node -> new MetadataReader(descriptor.reading()).root(node))
        .orElse(Metadata.NONE);
  }

  private Metadata root(Node node) {
    if (node instanceof MappingNode mapping) {
      return new Metadata(map(mapping));
    }
    reading.problem(node, "metadata is %s (expected a mapping)", Scalars.describe(node));
    return Metadata.NONE;
  }

  private Map<String, @Nullable Object> map(MappingNode mapping) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    if (reading.enter(mapping)) {
      Map<String, Place> places = new HashMap<>();
      Map<String, @Nullable Object> merged = new LinkedHashMap<>();
      for (NodeTuple tuple : mapping.getValue()) {
        Node key = tuple.getKeyNode();
        if (Tag.MERGE.equals(key.getTag())) {
          merge(tuple.getValueNode(), merged);
        } else if (key instanceof ScalarNode scalar) {
          String name = scalar.getValue();
          Place earlier = places.putIfAbsent(name, reading.place(key));
          if (earlier != null) {
            reading.problem(key, "'%s' is already given at %s (expected it once)", name, earlier);
          }
          values.put(name, value(tuple.getValueNode()));
        } else {
          reading.problem(key, "a key in metadata is no text (expected text)");
        }
      }
      merged.forEach(values::putIfAbsent);
      reading.leave(mapping);
    }
    return values;
  }

  private void merge(Node from, Map<String, @Nullable Object> into) {
    for (Node source : from instanceof SequenceNode list ? list.getValue() : List.of(from)) {
      if (source instanceof MappingNode mapping) {
        map(mapping).forEach(into::putIfAbsent);
      } else {
        reading.problem(source, "'<<' is %s (expected a mapping)", Scalars.describe(source));
      }
    }
  }

  private @Nullable Object value(Node node) {
    if (node instanceof MappingNode mapping) {
      return map(mapping);
    }
    if (node instanceof SequenceNode list) {
      List<@Nullable Object> values = new ArrayList<>();
      if (reading.enter(list)) {
        list.getValue().forEach(element -> values.add(value(element)));
        reading.leave(list);
      }
      return values;
    }
    return scalar((ScalarNode) node);
  }

  private @Nullable Object scalar(ScalarNode node) {
    String text = node.getValue();
    if (node.getScalarStyle() != ScalarStyle.PLAIN) {
      return text;
    }
    if (Scalars.isNull(node)) {
      return null;
    }
    if (Tag.BOOL.equals(node.getTag())) {
      return Scalars.isYes(text);
    }
    boolean number = Tag.INT.equals(node.getTag()) || Tag.FLOAT.equals(node.getTag());
    return number ? number(node) : text;
  }

  /** A number as JSON has it; text where it is one in YAML only, as 0x1F is. */
  private Object number(ScalarNode node) {
    String text = node.getValue();
    if (NOT_FINITE.matcher(text).matches()) {
      reading.problem(node, "%s is no number in JSON (expected one, or quotes around it)", text);
      return text;
    }
    try {
      double number = Double.parseDouble(text.replace("_", ""));
      return Double.isFinite(number) ? number : text;
    } catch (NumberFormatException e) {
      return text;
    }
  }
}
