package dev.sluice.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.sluice.InProcessServer;
import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.descriptor.RateLimitDescriptor.RateLimitOverride;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.proto.service.RateLimitResponse.DescriptorStatus;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that mean nothing, or too much: each gets an answer, and the server goes on. */
@SuppressWarnings("NullAway.Init")
final class HostileRequestsIT {
  private static final int TRIES = 500;

  private static InProcessServer server;

  @BeforeAll
  static void start() {
    String rules =
        """
        domain: d
        descriptors:
          - {key: key, rate_limit: {unit: day, requests_per_unit: 1000000}}
          - {key: key, value: value, rate_limit: {unit: second, requests_per_unit: 0}}
          - key: value
            value: "*"
            share_threshold: true
            rate_limit: {unlimited: true}
            descriptors:
              - {key: key, shadow_mode: true, rate_limit: {unit: year, requests_per_unit: 1, burst: 7}}
        """;
    server = InProcessServer.of(Map.of("d.yaml", rules));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void anEmptyDomainIsNamed() {
    assertInvalid(request("", entry("key", "a")), "domain is empty");
  }

  @Test
  void noDescriptorsAreNamed() {
    assertInvalid(RateLimitRequest.newBuilder().setDomain("d").build(), "descriptors is empty");
  }

  @Test
  void anEntryWithoutAKeyIsNamedByItsPlace() {
    RateLimitRequest request =
        request(
            "d",
            entry("key", "a"),
            entry("key", "a").toBuilder()
                .addEntries(RateLimitDescriptor.Entry.getDefaultInstance())
                .build());

    assertInvalid(request, "descriptors[1].entries[1].key is empty");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 99, -1})
  void anOverrideWithoutAUnitThatIsKnownIsNamedByItsPlace(int unit) {
    RateLimitOverride limit =
        RateLimitOverride.newBuilder().setRequestsPerUnit(5).setUnitValue(unit).build();

    assertInvalid(
        request("d", entry("key", "a").toBuilder().setLimit(limit).build()),
        "descriptors[0].limit.unit is " + unit);
  }

  @Test
  void aDescriptorWithoutEntriesMeetsNoRule() {
    DescriptorStatus status =
        server
            .client()
            .shouldRateLimit(request("d", RateLimitDescriptor.getDefaultInstance()))
            .getStatuses(0);

    assertThat(status).isEqualTo(DescriptorStatus.newBuilder().setCode(Code.OK).build());
  }

  @Test
  void tenThousandDescriptorsGetTenThousandStatuses() {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("d");
    IntStream.range(0, 10_000)
        .forEach(i -> request.addDescriptors(entry(i % 2 == 0 ? "key" : "none", "v" + i)));

    RateLimitResponse response = server.client().shouldRateLimit(request.build());

    assertThat(response.getOverallCode()).isEqualTo(Code.OK);
    assertThat(response.getStatusesList())
        .hasSize(10_000)
        .satisfies(
            statuses ->
                assertThat(IntStream.range(0, 10_000))
                    .allMatch(i -> statuses.get(i).hasCurrentLimit() == (i % 2 == 0)));
  }

  @Test
  void moreDescriptorsThanTenThousandAreNamed() {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("d");
    IntStream.range(0, 10_001).forEach(i -> request.addDescriptors(entry("none", "v")));

    assertInvalid(request.build(), "descriptors has 10001 elements");
  }

  @Test
  void aValueOfManyKilobytesHasABucketOfItsOwn() {
    String value = "v".repeat(65 * 1024);

    assertThat(remaining(value + "1")).isEqualTo(999_999);
    assertThat(remaining(value + "2")).isEqualTo(999_999);
    assertThat(remaining(value + "1")).isEqualTo(999_998);
  }

  @Test
  void aMessageThatIsTooLongIsRefusedAndTheServerGoesOn() {
    Status status =
        refusal(
            () -> server.client().shouldRateLimit(request("d", entry("key", "v".repeat(5 << 20)))));

    assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertStillAnswers();
  }

  @Test
  void textThatIsNotUtf8IsTheCallersFault() {
    byte[] request = request("d", entry("key", "value-x")).toByteString().toByteArray();
    request[request.length - 1] = (byte) 0xFF;

    Status status = refusal(() -> RawCalls.send(server.channel(), request));

    assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertStillAnswers();
  }

  @Test
  void bytesThatAreNoMessageAreTheCallersFault() {
    Random random = new Random(1);
    for (int i = 0; i < TRIES; i++) {
      byte[] bytes = new byte[1 + random.nextInt(60)];
      random.nextBytes(bytes);

      Status status = refusal(() -> RawCalls.send(server.channel(), bytes));

      assertThat(status.getCode())
          .as("%s for %s", status, ByteString.copyFrom(bytes))
          .isEqualTo(Status.Code.INVALID_ARGUMENT);
    }
    assertStillAnswers();
  }

  @Test
  void anyMessageGetsAStatusForEachDescriptorOrIsTheCallersFault() {
    RandomMessages messages = new RandomMessages(new Random(2));
    for (int i = 0; i < TRIES; i++) {
      RateLimitRequest request =
          (RateLimitRequest) messages.like(RateLimitRequest.getDefaultInstance());
      RateLimitRequest known = i % 2 == 0 ? request : request.toBuilder().setDomain("d").build();

      assertAnswered(known);
    }
    assertStillAnswers();
  }

  private static void assertAnswered(RateLimitRequest request) {
    try {
      RateLimitResponse response = server.client().shouldRateLimit(request);
      assertThat(response.getStatusesCount()).isEqualTo(request.getDescriptorsCount());
      assertThat(response.getOverallCode()).isIn(Code.OK, Code.OVER_LIMIT);
      assertThat(response.getStatusesList())
          .extracting(DescriptorStatus::getCode)
          .isSubsetOf(Code.OK, Code.OVER_LIMIT);
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getCode())
          .as("%s for %s", e.getStatus(), request)
          .isEqualTo(Status.Code.INVALID_ARGUMENT);
    }
  }

  private static void assertInvalid(RateLimitRequest request, String fault) {
    Status status = refusal(() -> server.client().shouldRateLimit(request));

    assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(status.getDescription()).contains(fault);
  }

  private static Status refusal(ThrowingCallable call) {
    return catchThrowableOfType(StatusRuntimeException.class, call).getStatus();
  }

  private static void assertStillAnswers() {
    assertThat(server.client().shouldRateLimit(request("d", entry("none", "x"))).getOverallCode())
        .isEqualTo(Code.OK);
  }

  private static int remaining(String value) {
    return server
        .client()
        .shouldRateLimit(request("d", entry("key", value)))
        .getStatuses(0)
        .getLimitRemaining();
  }

  private static RateLimitDescriptor entry(String key, String value) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    descriptor.addEntriesBuilder().setKey(key).setValue(value);
    return descriptor.build();
  }

  private static RateLimitRequest request(String domain, RateLimitDescriptor... descriptors) {
    return RateLimitRequest.newBuilder()
        .setDomain(domain)
        .addAllDescriptors(List.of(descriptors))
        .build();
  }
}
