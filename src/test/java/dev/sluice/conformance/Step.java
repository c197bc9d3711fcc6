package dev.sluice.conformance;

import com.google.protobuf.UInt64Value;
import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.descriptor.RateLimitDescriptor.RateLimitOverride;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.type.RateLimitUnit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One step of a case. */
sealed interface Step {
  /** A request that is sent so many times, and what is expected each time. */
  record Call(RateLimitRequest request, int times, Expectation expected) implements Step {}

  /** Files that are written over the ones before, and then in force. */
  record Reload(Map<String, String> files) implements Step {}

  /** Time that passes. */
  record Wait(Duration time) implements Step {}

  /**
   * Reads a step.
   *
   * @param domain of a call that names none
   */
  static Step read(Value step, String domain) {
    Set<String> keys = step.fields().keySet();
    if (keys.contains("call") && Set.of("call", "times", "expect").containsAll(keys)) {
      int times = Integer.parseInt(step.get("times").textOr("1"));
      return new Call(
          request(step.get("call"), domain), times, new Expectation(step.get("expect")));
    }
    if (keys.equals(Set.of("reload"))) {
      return new Reload(step.get("reload").texts());
    }
    if (keys.equals(Set.of("wait"))) {
      double seconds = Double.parseDouble(step.get("wait").text());
      return new Wait(Duration.ofMillis(Math.round(seconds * 1_000)));
    }
    throw new IllegalArgumentException("a step that only people can take: " + step);
  }

  private static RateLimitRequest request(Value call, String domain) {
    RateLimitRequest.Builder request =
        RateLimitRequest.newBuilder().setDomain(call.get("domain").textOr(domain));
    call.get("d").items().forEach(descriptor -> request.addDescriptors(descriptor(descriptor)));
    return request.setHitsAddend(Integer.parseUnsignedInt(call.get("hits").textOr("0"))).build();
  }

  private static RateLimitDescriptor descriptor(Value value) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    Value entries = value.isList() ? value : value.get("e");
    for (Value pair : entries.items()) {
      List<Value> keyAndValue = pair.items();
      descriptor
          .addEntriesBuilder()
          .setKey(keyAndValue.get(0).text())
          .setValue(keyAndValue.get(1).text());
    }
    if (!value.get("addend").isAbsent()) {
      long units = Long.parseUnsignedLong(value.get("addend").text());
      descriptor.setHitsAddend(UInt64Value.of(units));
    }
    Value limit = value.get("limit");
    if (!limit.isAbsent()) {
      descriptor.setLimit(
          RateLimitOverride.newBuilder()
              .setRequestsPerUnit(Integer.parseUnsignedInt(limit.get("n").text()))
              .setUnit(RateLimitUnit.valueOf(limit.get("unit").text())));
    }
    return descriptor.build();
  }
}
