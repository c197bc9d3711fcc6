package dev.sluice;

import com.google.protobuf.UInt64Value;
import dev.sluice.load.Messages;
import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.service.RateLimitRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests of a warm-up, in turn: one caller, many, one that is over its limit, several
 * descriptors, reports, looks, and descriptors without a rule. Thread-safe.
 */
final class WarmUpMessages implements Messages {
  private static final int TURNS = 16;
  private static final int CALLERS = 500;

  private final List<byte[]> messages = new ArrayList<>();
  private final AtomicInteger next = new AtomicInteger();

  /** Requests for the rules of a domain. */
  WarmUpMessages(String domain) {
    for (int i = 0; i < CALLERS; i++) {
      messages.add(message(domain, i));
    }
  }

  private static byte[] message(String domain, int number) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain(domain);
    RateLimitDescriptor own = descriptor("caller", "c" + number);
    switch (number % TURNS) {
      case 0, 1, 2 -> request.addDescriptors(descriptor("full", "full"));
      case 3, 4 -> request.addDescriptors(planned(number)).addDescriptors(own);
      case 5 -> request.addDescriptors(planned(number)).setHitsAddend(3);
      case 6 -> request.addDescriptors(own.toBuilder().setHitsAddend(UInt64Value.of(1)));
      case 7 -> request.addDescriptors(own.toBuilder().setHitsAddend(UInt64Value.of(0)));
      case 8 -> request.addDescriptors(descriptor("without", "rule"));
      case 9 -> request.addDescriptors(own).addDescriptors(descriptor("full", "full"));
      case 10, 11, 12 -> request.addDescriptors(descriptor("caller", "all"));
      default -> request.addDescriptors(own);
    }
    return request.build().toByteArray();
  }

  private static RateLimitDescriptor planned(int number) {
    return descriptor("plan", "free" + number % 2).toBuilder()
        .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey("caller").setValue("p" + number))
        .build();
  }

  private static RateLimitDescriptor descriptor(String key, String value) {
    return RateLimitDescriptor.newBuilder()
        .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue(value))
        .build();
  }

  @Override
  public byte[] next() {
    return messages.get(Math.floorMod(next.getAndIncrement(), messages.size()));
  }
}
