package dev.sluice.envoy;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.sluice.decision.Answer;
import dev.sluice.decision.Status;
import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.descriptor.RateLimitDescriptor.RateLimitOverride;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.rule.Entry;
import dev.sluice.rule.Metadata;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The dynamic metadata of an answer: what was asked, and the metadata of the rules that let it
 * pass. Envoy keeps it for later filters and the access log. Source: the reference server.
 */
final class MetadataWriter {
  private MetadataWriter() {}

  static Struct write(RateLimitRequest request, Answer.Decision decision) {
    ListValue.Builder descriptors = ListValue.newBuilder();
    for (int i = 0; i < request.getDescriptorsCount(); i++) {
      descriptors
          .addValuesBuilder()
          .setStructValue(descriptor(request.getDescriptors(i), decision.told().get(i)));
    }
    Struct.Builder written =
        Struct.newBuilder()
            .putFields("domain", text(request.getDomain()))
            .putFields("descriptors", Value.newBuilder().setListValue(descriptors).build());
    if (request.getHitsAddend() != 0) {
      written.putFields(
          "hitsAddend", number((double) Integer.toUnsignedLong(request.getHitsAddend())));
    }
    Metadata merged = merged(decision.statuses());
    if (!merged.isEmpty()) {
      written.putFields("metadata", value(merged.values()));
    }
    return written.build();
  }

  private static Struct descriptor(RateLimitDescriptor descriptor, List<Entry> told) {
    ListValue.Builder entries = ListValue.newBuilder();
    told.forEach(it -> entries.addValues(text(it.key() + "=" + it.value())));
    Struct.Builder written =
        Struct.newBuilder().putFields("entries", Value.newBuilder().setListValue(entries).build());
    if (descriptor.hasLimit()) {
      written.putFields("limit", text(limit(descriptor.getLimit())));
    }
    if (descriptor.hasHitsAddend()) {
      written.putFields("hitsAddend", number(unsigned(descriptor.getHitsAddend().getValue())));
    }
    return written.build();
  }

  /** As Go prints the message: what is set, and nothing for 0. */
  private static String limit(RateLimitOverride limit) {
    StringJoiner text = new StringJoiner(" ");
    if (limit.getRequestsPerUnit() != 0) {
      text.add("requests_per_unit:" + Integer.toUnsignedString(limit.getRequestsPerUnit()));
    }
    return text.add("unit:" + limit.getUnit()).toString();
  }

  /** Of the rules of all statuses that pass; what comes first stays. */
  private static Metadata merged(List<Status> statuses) {
    Metadata merged = Metadata.NONE;
    for (Status status : statuses) {
      Metadata own = status.isOk() ? of(status) : Metadata.NONE;
      if (!own.isEmpty()) {
        merged = merged.isEmpty() ? own : merged.mergedWith(own);
      }
    }
    return merged;
  }

  private static Metadata of(Status status) {
    if (status instanceof Status.Decided decided) {
      return decided.match().rule().metadata();
    }
    return status instanceof Status.Blocked blocked
        ? blocked.match().rule().metadata()
        : Metadata.NONE;
  }

  private static Value value(@Nullable Object data) {
    Value.Builder value = Value.newBuilder();
    if (data instanceof Map<?, ?> map) {
      Struct.Builder fields = Struct.newBuilder();
      map.forEach((name, field) -> fields.putFields(String.valueOf(name), value(field)));
      return value.setStructValue(fields).build();
    }
    if (data instanceof List<?> list) {
      ListValue.Builder elements = ListValue.newBuilder();
      list.forEach(element -> elements.addValues(value(element)));
      return value.setListValue(elements).build();
    }
    if (data instanceof Number number) {
      return number(number.doubleValue());
    }
    if (data instanceof Boolean flag) {
      return value.setBoolValue(flag).build();
    }
    return data == null ? value.setNullValue(NullValue.NULL_VALUE).build() : text(data.toString());
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static Value number(double number) {
    return Value.newBuilder().setNumberValue(number).build();
  }

  private static double unsigned(long number) {
    return number >= 0 ? (double) number : (double) (number >>> 1) * 2;
  }
}
