package dev.sluice.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UInt64Value;
import dev.sluice.InProcessServer;
import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.descriptor.RateLimitDescriptor.RateLimitOverride;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.proto.service.RateLimitResponse.DescriptorStatus;
import dev.sluice.proto.type.RateLimitUnit;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hits and limits at the ends of what the protocol can carry, over real gRPC. */
@SuppressWarnings("NullAway.Init")
final class NumbersIT {
  private static final int LARGEST_UINT32 = -1;
  private static final long LARGEST_UINT64 = -1;
  private static final int LIMIT = 10;

  private static final AtomicInteger NEXT = new AtomicInteger();
  private static InProcessServer server;

  /** A value whose bucket is full. */
  private final String value = "v" + NEXT.incrementAndGet();

  @BeforeAll
  static void start() {
    String rules =
        """
        domain: d
        descriptors:
          - {key: key, rate_limit: {unit: day, requests_per_unit: 10}}
          - {key: blocked, rate_limit: {unit: day, requests_per_unit: 0}}
        """;
    server = InProcessServer.of(Map.of("d.yaml", rules));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void theMostHitsThatARequestCanAskForAreOverAndTakeNothing() {
    assertThat(ask(LARGEST_UINT32).getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(look().getLimitRemaining()).isEqualTo(LIMIT);
  }

  @Test
  void theMostHitsThatADescriptorCanReportAreOverAndRunIntoDebt() {
    assertThat(report(LARGEST_UINT64).getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(look().getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(giveBack(LIMIT).getLimitRemaining()).isZero();
    assertThat(giveBack(LIMIT).getLimitRemaining()).isEqualTo(LIMIT);
  }

  @Test
  void reportsThatDoNotFitMakeOneBurstOfDebtAtMost() {
    report(7);
    report(7);
    report(7);
    report(7);

    assertThat(giveBack(LIMIT + 1).getLimitRemaining()).isEqualTo(1);
  }

  @Test
  void aLookTakesNothing() {
    assertThat(report(0).getLimitRemaining()).isEqualTo(LIMIT);
    assertThat(look().getCode()).isEqualTo(Code.OK);
    assertThat(look().getLimitRemaining()).isEqualTo(LIMIT);
  }

  @Test
  void hitsThatAreGivenBackCanBeTakenAgain() {
    ask(4);

    DescriptorStatus status = giveBack(3);

    assertThat(status.getCode()).isEqualTo(Code.OK);
    assertThat(status.getLimitRemaining()).isEqualTo(9);
  }

  @Test
  void hitsThatAreGivenBackNeverMakeABucketMoreThanFull() {
    ask(4);

    assertThat(giveBack(LARGEST_UINT64).getLimitRemaining()).isEqualTo(LIMIT);
    assertThat(ask(1).getLimitRemaining()).isEqualTo(9);
  }

  @Test
  void hitsOfTheRequestAreGivenBackToADescriptorThatHasNoneOfItsOwn() {
    ask(4);
    RateLimitDescriptor descriptor = descriptor("key").setIsNegativeHits(true).build();

    assertThat(send(descriptor, 2).getLimitRemaining()).isEqualTo(8);
    assertThat(send(descriptor, 0).getLimitRemaining()).isEqualTo(9);
  }

  @Test
  void noHitsGivenBackAreALook() {
    ask(LIMIT);

    assertThat(giveBack(0).getCode()).isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void hitsThatAreGivenBackToALimitOfNothingAreTakenWithThanks() {
    RateLimitDescriptor.Builder descriptor = descriptor("blocked").setIsNegativeHits(true);

    DescriptorStatus status = send(descriptor.setHitsAddend(UInt64Value.of(5)).build(), 0);

    assertThat(status.getCode()).isEqualTo(Code.OK);
    assertThat(status.getLimitRemaining()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"UNKNOWN", "UNRECOGNIZED"})
  void theLargestLimitThatARequestCanBringHoldsInEveryUnit(RateLimitUnit unit) {
    DescriptorStatus status = send(override(LARGEST_UINT32, unit), 1);

    assertThat(status.getCode()).isEqualTo(Code.OK);
    assertThat(status.getCurrentLimit().getRequestsPerUnit()).isEqualTo(LARGEST_UINT32);
    assertThat(status.getCurrentLimit().getUnit().name()).isEqualTo(unit.name());
    assertThat(status.getLimitRemaining()).isEqualTo(LARGEST_UINT32 - 1);
    assertThat(send(override(LARGEST_UINT32, unit), LARGEST_UINT32).getCode())
        .isIn(Code.OK, Code.OVER_LIMIT);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"UNKNOWN", "UNRECOGNIZED"})
  void aLimitOfOneThatARequestBringsHoldsInEveryUnit(RateLimitUnit unit) {
    assertThat(send(override(1, unit), 1).getCode()).isEqualTo(Code.OK);
    assertThat(send(override(1, unit), LARGEST_UINT32).getCode()).isEqualTo(Code.OVER_LIMIT);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"UNKNOWN", "UNRECOGNIZED"})
  void aLimitOfNothingThatARequestBringsDeniesInEveryUnit(RateLimitUnit unit) {
    DescriptorStatus status = send(override(0, unit), 1);

    assertThat(status.getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(status.hasCurrentLimit()).isTrue();
    assertThat(status.getCurrentLimit().getUnit().name()).isEqualTo(unit.name());
  }

  private DescriptorStatus ask(int hits) {
    return send(descriptor("key").build(), hits);
  }

  private DescriptorStatus report(long hits) {
    return send(descriptor("key").setHitsAddend(UInt64Value.of(hits)).build(), 1);
  }

  private DescriptorStatus look() {
    return report(0);
  }

  private DescriptorStatus giveBack(long hits) {
    RateLimitDescriptor.Builder descriptor = descriptor("key").setIsNegativeHits(true);
    return send(descriptor.setHitsAddend(UInt64Value.of(hits)).build(), 1);
  }

  private RateLimitDescriptor override(int requests, RateLimitUnit unit) {
    return descriptor("override-" + requests + unit)
        .setLimit(RateLimitOverride.newBuilder().setRequestsPerUnit(requests).setUnit(unit))
        .build();
  }

  private RateLimitDescriptor.Builder descriptor(String key) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    descriptor.addEntriesBuilder().setKey(key).setValue(value);
    return descriptor;
  }

  private static DescriptorStatus send(RateLimitDescriptor descriptor, int hits) {
    RateLimitRequest request =
        RateLimitRequest.newBuilder()
            .setDomain("d")
            .setHitsAddend(hits)
            .addDescriptors(descriptor)
            .build();
    return server.client().shouldRateLimit(request).getStatuses(0);
  }
}
