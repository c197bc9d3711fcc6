package dev.sluice.envoy;

import dev.sluice.bucket.Deadline;
import dev.sluice.decision.Descriptor;
import dev.sluice.decision.Hits;
import dev.sluice.decision.Query;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.descriptor.RateLimitDescriptor.RateLimitOverride;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.type.RateLimitUnit;
import dev.sluice.rule.Entry;
import dev.sluice.rule.RateLimit;
import java.util.List;
import java.util.Optional;

/** Checks a request and says it in our terms. */
final class RequestReader {
  /** More would keep Redis busy for longer than everybody else can wait. */
  private static final int MOST_DESCRIPTORS = 10_000;

  private RequestReader() {}

  /**
   * The request that was sent.
   *
   * @throws MalformedRequestException if it is none
   */
  static RateLimitRequest message(Incoming incoming) {
    if (incoming instanceof Incoming.Garbage garbage) {
      throw new MalformedRequestException("the bytes are no RateLimitRequest: " + garbage.reason());
    }
    return ((Incoming.Request) incoming).message();
  }

  /**
   * The query that a request makes.
   *
   * @param deadline of whoever asks
   * @throws MalformedRequestException if it means nothing
   */
  static Query read(RateLimitRequest request, Deadline deadline) {
    if (request.getDomain().isEmpty()) {
      throw new MalformedRequestException("domain is empty (expected the name of a rule set)");
    }
    if (request.getDescriptorsCount() == 0) {
      throw new MalformedRequestException(
          "descriptors is empty (expected at least one descriptor)");
    }
    if (request.getDescriptorsCount() > MOST_DESCRIPTORS) {
      throw new MalformedRequestException(
          String.format(
              "descriptors has %d elements (expected at most %d)",
              request.getDescriptorsCount(), MOST_DESCRIPTORS));
    }
    Hits.Asked hits = new Hits.Asked(Math.max(1, Integer.toUnsignedLong(request.getHitsAddend())));
    Descriptor[] descriptors = new Descriptor[request.getDescriptorsCount()];
    for (int i = 0; i < descriptors.length; i++) {
      descriptors[i] = descriptor(request.getDescriptors(i), hits, i);
    }
    return new Query(request.getDomain(), List.of(descriptors), deadline);
  }

  private static Descriptor descriptor(
      RateLimitDescriptor descriptor, Hits.Asked requestHits, int index) {
    Optional<RateLimit> override =
        descriptor.hasLimit()
            ? Optional.of(rateLimit(descriptor.getLimit(), index))
            : Optional.empty();
    return new Descriptor(entries(descriptor, index), override, hits(descriptor, requestHits));
  }

  private static List<Entry> entries(RateLimitDescriptor descriptor, int index) {
    Entry[] entries = new Entry[descriptor.getEntriesCount()];
    for (int i = 0; i < entries.length; i++) {
      RateLimitDescriptor.Entry entry = descriptor.getEntries(i);
      if (entry.getKey().isEmpty()) {
        throw new MalformedRequestException(
            String.format(
                "descriptors[%d].entries[%d].key is empty (expected at least one character)",
                index, i));
      }
      entries[i] = new Entry(entry.getKey(), entry.getValue());
    }
    return List.of(entries);
  }

  private static RateLimit rateLimit(RateLimitOverride override, int index) {
    if (override.getUnit() == RateLimitUnit.UNKNOWN
        || override.getUnit() == RateLimitUnit.UNRECOGNIZED) {
      throw new MalformedRequestException(
          String.format(
              "descriptors[%d].limit.unit is %d (expected a unit from SECOND to WEEK)",
              index, override.getUnitValue()));
    }
    Period period = Period.valueOf(override.getUnit().name());
    long requests = Integer.toUnsignedLong(override.getRequestsPerUnit());
    return requests == 0
        ? new RateLimit.Blocked(period)
        : new RateLimit.Limited(Limit.of(requests, period));
  }

  private static Hits hits(RateLimitDescriptor descriptor, Hits.Asked requestHits) {
    boolean own = descriptor.hasHitsAddend();
    if (!own && !descriptor.getIsNegativeHits()) {
      return requestHits;
    }
    long units = own ? clamped(descriptor.getHitsAddend().getValue()) : requestHits.units();
    if (units == 0) {
      return new Hits.Looked();
    }
    return descriptor.getIsNegativeHits() ? new Hits.Returned(units) : new Hits.Reported(units);
  }

  /**
   * An unsigned number of 64 bits, as the largest signed one where it does not fit. No bucket is
   * that large.
   */
  private static long clamped(long unsigned) {
    return unsigned < 0 ? Long.MAX_VALUE : unsigned;
  }
}
