package dev.sluice.conformance;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value in a case file.
 *
 * @param raw what the parser made of it, null where there is none
 */
record Value(@Nullable Object raw) {
  boolean isAbsent() {
    return raw == null;
  }

  boolean isList() {
    return raw instanceof List;
  }

  boolean isMapping() {
    return raw instanceof Map;
  }

  Value get(String key) {
    return fields().getOrDefault(key, new Value(null));
  }

  Map<String, Value> fields() {
    Map<String, Value> fields = new LinkedHashMap<>();
    if (raw instanceof Map<?, ?> map) {
      map.forEach((key, value) -> fields.put(String.valueOf(key), new Value(value)));
    }
    return fields;
  }

  List<Value> items() {
    return raw instanceof Collection<?> items ? items.stream().map(Value::new).toList() : List.of();
  }

  /** The text of a scalar, in which {@code @repeat(x,n)} stands for n times x. */
  String text() {
    String text = String.valueOf(raw);
    if (!text.startsWith("@repeat(")) {
      return text;
    }
    int comma = text.indexOf(',');
    int end = text.indexOf(')');
    String repeated = text.substring("@repeat(".length(), comma);
    int times = Integer.parseInt(text.substring(comma + 1, end));
    return repeated.repeat(times) + text.substring(end + 1);
  }

  String textOr(String otherwise) {
    return isAbsent() ? otherwise : text();
  }

  /** The text of every field. */
  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    fields().forEach((key, value) -> texts.put(key, value.text()));
    return texts;
  }

  @Override
  public String toString() {
    return String.valueOf(raw);
  }
}
