package dev.sluice.bench;

import dev.sluice.load.Messages;
import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.service.RateLimitRequest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The requests of the scenarios, and the rules that they are for. */
final class Requests {
  private static final String DOMAIN = "bench";

  /** Makes the key in Redis 40 bytes long, with a prefix of 3. */
  private static final int VALUE_LENGTH = 24;

  static final String RULES =
      """
      domain: bench
      descriptors:
        - key: caller
          rate_limit: {unit: second, requests_per_unit: 1000000000}
        - key: denied
          rate_limit: {unit: day, requests_per_unit: 1}
        - key: visitor
          rate_limit: {unit: second, requests_per_unit: 1000000}
        - key: stayer
          rate_limit: {unit: day, requests_per_unit: 100}
      """;

  private Requests() {}

  /** One request again and again. */
  static Messages same(byte[] message) {
    return () -> message;
  }

  /** A request with one descriptor. */
  static byte[] one(String key, String value) {
    return RateLimitRequest.newBuilder()
        .setDomain(DOMAIN)
        .addDescriptors(descriptor(key, value))
        .build()
        .toByteArray();
  }

  /** A request with so many descriptors, each of a bucket of its own. */
  static byte[] several(int descriptors) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain(DOMAIN);
    for (int i = 0; i < descriptors; i++) {
      request.addDescriptors(descriptor("caller", value(i)));
    }
    return request.build().toByteArray();
  }

  /** Requests of so many visitors; a few come often, most seldom. */
  static Messages zipf(int visitors) {
    byte[][] messages = new byte[visitors][];
    for (int i = 0; i < visitors; i++) {
      messages[i] = one("visitor", value(i));
    }
    Zipf zipf = new Zipf(visitors, 1);
    return () -> messages[zipf.next()];
  }

  /** Requests of which no two are alike. Not thread-safe. */
  static final class Distinct implements Messages {
    private final byte[] pattern = one("stayer", value(0));
    private int made;

    @Override
    public byte[] next() {
      byte[] message = pattern.clone();
      byte[] value = value(made++).getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(value, 0, message, message.length - value.length, value.length);
      return message;
    }
  }

  /** The name of the bucket in Redis of such a request, for comparing what it takes. */
  static String bucketName(String prefix) {
    return prefix + DOMAIN + "|stayer=";
  }

  static String value(int number) {
    return String.format(Locale.ROOT, "%0" + VALUE_LENGTH + "d", number);
  }

  private static RateLimitDescriptor descriptor(String key, String value) {
    return RateLimitDescriptor.newBuilder()
        .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue(value))
        .build();
  }
}
