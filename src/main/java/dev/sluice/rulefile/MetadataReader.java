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
        .filter(node -> !node.isNull())
        .map(node -> new MetadataReader(descriptor.reading()).root(node))
        .orElse(Metadata.NONE);
  }

  private Metadata root(Node node) {
    if (node instanceof Node.Pairs mapping) {
      return new Metadata(map(mapping));
    }
    reading.problem(node, "metadata is %s (expected a mapping)", node.describe());
    return Metadata.NONE;
  }

  private Map<String, @Nullable Object> map(Node.Pairs mapping) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    if (reading.enter(mapping)) {
      Map<String, Place> places = new HashMap<>();
      Map<String, @Nullable Object> merged = new LinkedHashMap<>();
      for (int i = 0; i < mapping.size(); i++) {
        Node key = mapping.key(i);
        if (key.isMerge()) {
          merge(mapping.value(i), merged);
        } else if (key instanceof Node.Scalar scalar) {
          String name = scalar.source();
          Place earlier = places.putIfAbsent(name, reading.place(key));
          if (earlier != null) {
            reading.problem(key, "'%s' is already given at %s (expected it once)", name, earlier);
          }
          values.put(name, value(mapping.value(i)));
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
    List<Node> sources = from instanceof Node.Sequence list ? list.elements() : List.of(from);
    for (Node source : sources) {
      if (source instanceof Node.Pairs mapping) {
        map(mapping).forEach(into::putIfAbsent);
      } else {
        reading.problem(source, "'<<' is %s (expected a mapping)", source.describe());
      }
    }
  }

  private @Nullable Object value(Node node) {
    if (node instanceof Node.Pairs mapping) {
      return map(mapping);
    }
    if (node instanceof Node.Sequence list) {
      List<@Nullable Object> values = new ArrayList<>();
      if (reading.enter(list)) {
        list.elements().forEach(element -> values.add(value(element)));
        reading.leave(list);
      }
      return values;
    }
    return scalar((Node.Scalar) node);
  }

  private @Nullable Object scalar(Node.Scalar node) {
    String text = node.source();
    if (!node.isPlain()) {
      return text;
    }
    if (node.isNull()) {
      return null;
    }
    if (Tag.BOOL.equals(node.tag())) {
      return Scalars.isYes(text);
    }
    boolean number = Tag.INT.equals(node.tag()) || Tag.FLOAT.equals(node.tag());
    return number ? number(node) : text;
  }

  /** A number as JSON has it; text where it is one in YAML only, as 0x1F is. */
  private Object number(Node.Scalar node) {
    String text = node.source();
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
