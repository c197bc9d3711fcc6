package dev.sluice.testing;

import dev.sluice.proto.rules.RateLimitConfig;
import dev.sluice.proto.rules.RateLimitDescriptor;
import dev.sluice.proto.rules.RateLimitPolicy;
import dev.sluice.proto.rules.RateLimitUnit;

/** Rules as a control plane sends them. */
public final class SampleConfigs {
  private SampleConfigs() {}

  /** A domain whose key "k" may come so often a day. */
  public static RateLimitConfig daily(String domain, int requests) {
    return config(domain, leaf("k", "", RateLimitUnit.DAY, requests));
  }

  /** A domain with these descriptors, whose resource has the same name. */
  public static RateLimitConfig config(String domain, RateLimitDescriptor... descriptors) {
    RateLimitConfig.Builder config = RateLimitConfig.newBuilder().setName(domain).setDomain(domain);
    for (RateLimitDescriptor descriptor : descriptors) {
      config.addDescriptors(descriptor);
    }
    return config.build();
  }

  /** A descriptor with a limit. */
  public static RateLimitDescriptor leaf(
      String key, String value, RateLimitUnit unit, int requests) {
    return RateLimitDescriptor.newBuilder()
        .setKey(key)
        .setValue(value)
        .setRateLimit(RateLimitPolicy.newBuilder().setUnit(unit).setRequestsPerUnit(requests))
        .build();
  }

  /** A descriptor with others below it. */
  public static RateLimitDescriptor branch(String key, String value, RateLimitDescriptor... below) {
    RateLimitDescriptor.Builder descriptor =
        RateLimitDescriptor.newBuilder().setKey(key).setValue(value);
    for (RateLimitDescriptor one : below) {
      descriptor.addDescriptors(one);
    }
    return descriptor.build();
  }
}
