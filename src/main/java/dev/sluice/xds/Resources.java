package dev.sluice.xds;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.sluice.proto.rules.RateLimitConfig;
import dev.sluice.proto.rules.RateLimitDescriptor;
import dev.sluice.proto.rules.RateLimitPolicy;
import dev.sluice.proto.rules.RateLimitUnit;
import dev.sluice.rulefile.RuleText;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says resources in the words of rule files. */
final class Resources {
  /** The type of a set of rules. */
  static final String TYPE = "type.googleapis.com/ratelimit.config.ratelimit.v3.RateLimitConfig";

  private Resources() {}

  /**
   * The resources by their names, since control planes send them in any order. One that cannot be
   * read is there too, and called by its number.
   */
  static List<RuleText> texts(List<Any> resources) {
    List<RuleText> texts = new ArrayList<>();
    for (Any resource : resources) {
      texts.add(text("resource " + (texts.size() + 1), resource));
    }
    texts.sort(Comparator.comparing(RuleText::file));
    return texts;
  }

  private static RuleText text(String number, Any resource) {
    if (!resource.getTypeUrl().equals(TYPE)) {
      String reason = String.format("its type is '%s', not '%s'", resource.getTypeUrl(), TYPE);
      return new RuleText.Unreadable(number, reason);
    }
    try {
      RateLimitConfig config = RateLimitConfig.parseFrom(resource.getValue());
      String name = config.getName().isEmpty() ? number : config.getName();
      return new RuleText.Resource(name, domain(config));
    } catch (InvalidProtocolBufferException e) {
      return new RuleText.Unreadable(number, String.valueOf(e.getMessage()));
    }
  }

  private static Map<String, Object> domain(RateLimitConfig config) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("domain", config.getDomain());
    values.put("descriptors", descriptors(config.getDescriptorsList()));
    return values;
  }

  /** Each is said when somebody asks: the words take many times the memory of the message. */
  private static List<Map<String, Object>> descriptors(List<RateLimitDescriptor> descriptors) {
    return new AbstractList<>() {
      @Override
      public Map<String, Object> get(int index) {
        return descriptor(descriptors.get(index));
      }

      @Override
      public int size() {
        return descriptors.size();
      }
    };
  }

  private static Map<String, Object> descriptor(RateLimitDescriptor descriptor) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("key", descriptor.getKey());
    values.put("value", descriptor.getValue());
    if (descriptor.hasRateLimit()) {
      values.put("rate_limit", rateLimit(descriptor.getRateLimit()));
      conduct(descriptor, values);
    }
    values.put("descriptors", descriptors(descriptor.getDescriptorsList()));
    return values;
  }

  /** How the rule behaves. Control planes say it of descriptors without a rule too, in vain. */
  private static void conduct(RateLimitDescriptor descriptor, Map<String, Object> values) {
    values.put("shadow_mode", descriptor.getShadowMode());
    values.put("quota_mode", descriptor.getQuotaMode());
    values.put("detailed_metric", descriptor.getDetailedMetric());
    if (descriptor.hasMetadata()) {
      values.put("metadata", data(descriptor.getMetadata()));
    }
  }

  /** A number that is not given is 0: messages do not tell the two apart. */
  private static Map<String, Object> rateLimit(RateLimitPolicy policy) {
    Map<String, Object> values = new LinkedHashMap<>();
    if (policy.getUnit() != RateLimitUnit.UNKNOWN) {
      values.put("unit", unit(policy));
    }
    values.put("requests_per_unit", Integer.toUnsignedLong(policy.getRequestsPerUnit()));
    values.put("unlimited", policy.getUnlimited());
    values.put("name", policy.getName());
    values.put(
        "replaces",
        policy.getReplacesList().stream().map(it -> Map.of("name", it.getName())).toList());
    return values;
  }

  /** A unit of a later version is a number to us. */
  private static String unit(RateLimitPolicy policy) {
    return policy.getUnit() == RateLimitUnit.UNRECOGNIZED
        ? String.valueOf(policy.getUnitValue())
        : policy.getUnit().name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, @Nullable Object> data(Struct struct) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    struct.getFieldsMap().forEach((name, value) -> values.put(name, data(value)));
    return values;
  }

  private static @Nullable Object data(Value value) {
    return switch (value.getKindCase()) {
      case STRUCT_VALUE -> data(value.getStructValue());
      case LIST_VALUE -> {
        List<@Nullable Object> elements = new ArrayList<>();
        value.getListValue().getValuesList().forEach(it -> elements.add(data(it)));
        yield elements;
      }
      case STRING_VALUE -> value.getStringValue();
      case NUMBER_VALUE -> value.getNumberValue();
      case BOOL_VALUE -> value.getBoolValue();
      case NULL_VALUE, KIND_NOT_SET -> null;
    };
  }
}
