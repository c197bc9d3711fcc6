package dev.sluice.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** A place in a YAML file that tests read: maps, lists and scalars. */
public record YamlTree(Object value) {
  /** The documents of a file. */
  public static List<YamlTree> documents(Path file) {
    List<YamlTree> documents = new ArrayList<>();
    try {
      Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
      yaml.loadAll(Files.readString(file)).forEach(root -> documents.add(new YamlTree(root)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return documents;
  }

  /** What is there, by keys of maps and indexes of lists. */
  public YamlTree at(Object... path) {
    Object place = value;
    for (Object step : path) {
      Object next = step instanceof Integer index ? list(place).get(index) : map(place).get(step);
      if (next == null) {
        throw new AssertionError("there is no " + step + " in " + place);
      }
      place = next;
    }
    return new YamlTree(place);
  }

  /** The items of a list. */
  public List<YamlTree> items() {
    List<YamlTree> items = new ArrayList<>();
    list(value).forEach(item -> items.add(new YamlTree(item)));
    return items;
  }

  /** The map here. */
  public Map<?, ?> map() {
    return map(value);
  }

  /** The scalar here, as text. */
  public String text() {
    return String.valueOf(value);
  }

  /** Shows every map at or below this place. */
  public void eachMap(Consumer<Map<?, ?>> visitor) {
    if (value instanceof Map<?, ?> map) {
      visitor.accept(map);
      map.values().forEach(item -> new YamlTree(item).eachMap(visitor));
    } else if (value instanceof List<?> list) {
      list.forEach(item -> new YamlTree(item).eachMap(visitor));
    }
  }

  private static List<?> list(Object place) {
    if (place instanceof List<?> list) {
      return list;
    }
    throw new AssertionError("expected a list, not " + place);
  }

  private static Map<?, ?> map(Object place) {
    if (place instanceof Map<?, ?> map) {
      return map;
    }
    throw new AssertionError("expected a map, not " + place);
  }
}
