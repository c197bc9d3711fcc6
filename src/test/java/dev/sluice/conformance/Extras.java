package dev.sluice.conformance;

import com.google.protobuf.Struct;
import com.google.protobuf.Value.KindCase;
import dev.sluice.proto.core.HeaderValue;
import dev.sluice.proto.service.RateLimitResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an answer is expected to say beyond its statuses. */
final class Extras {
  private static final Pattern RANGE = Pattern.compile("(\\d+)[.][.](\\d+)");

  private Extras() {}

  /**
   * Whether the headers are these, in this order; a number in a value may be a range such as {@code
   * 1..60}.
   */
  static boolean headers(Value expected, RateLimitResponse answer) {
    List<Map.Entry<String, Value>> wanted = List.copyOf(expected.fields().entrySet());
    List<HeaderValue> headers = answer.getResponseHeadersToAddList();
    boolean met = wanted.size() == headers.size();
    for (int i = 0; met && i < wanted.size(); i++) {
      met =
          wanted.get(i).getKey().equals(headers.get(i).getKey())
              && fits(wanted.get(i).getValue().text(), headers.get(i).getValue());
    }
    return met;
  }

  private static boolean fits(String wanted, String actual) {
    Matcher range = RANGE.matcher(wanted);
    if (!range.find()) {
      return wanted.equals(actual);
    }
    String pattern =
        Pattern.quote(wanted.substring(0, range.start()))
            + "(\\d+)"
            + Pattern.quote(wanted.substring(range.end()));
    Matcher number = Pattern.compile(pattern).matcher(actual);
    return number.matches()
        && Long.parseLong(range.group(1)) <= Long.parseLong(number.group(1))
        && Long.parseLong(number.group(1)) <= Long.parseLong(range.group(2));
  }

  /** Whether the dynamic metadata is this. */
  static boolean metadata(Value expected, RateLimitResponse answer) {
    return expected.text().equals("none")
        ? !answer.hasDynamicMetadata()
        : plain(expected).equals(plain(answer.getDynamicMetadata()));
  }

  private static Object plain(Value value) {
    if (value.isMapping()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      value.fields().forEach((name, field) -> fields.put(name, plain(field)));
      return fields;
    }
    if (value.isList()) {
      return value.items().stream().map(Extras::plain).toList();
    }
    return value.raw() instanceof Number number ? (Object) number.doubleValue() : value.text();
  }

  private static Object plain(Struct struct) {
    Map<String, Object> fields = new LinkedHashMap<>();
    struct.getFieldsMap().forEach((name, field) -> fields.put(name, plain(field)));
    return fields;
  }

  private static Object plain(com.google.protobuf.Value value) {
    if (value.getKindCase() == KindCase.STRUCT_VALUE) {
      return plain(value.getStructValue());
    }
    if (value.getKindCase() == KindCase.LIST_VALUE) {
      return value.getListValue().getValuesList().stream().map(Extras::plain).toList();
    }
    return value.getKindCase() == KindCase.NUMBER_VALUE
        ? (Object) value.getNumberValue()
        : value.getStringValue();
  }
}
