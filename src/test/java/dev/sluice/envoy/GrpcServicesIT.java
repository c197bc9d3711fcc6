package dev.sluice.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.sluice.InProcessServer;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Health and reflection over real gRPC. */
final class GrpcServicesIT {
  private static final Map<String, String> GOOD = Map.of("a.yaml", "domain: a\ndescriptors: []\n");
  private static final Map<String, String> BAD = Map.of("a.yaml", "domain: [\n");

  @ParameterizedTest
  @ValueSource(strings = {"", "ratelimit"})
  void aServerWithRulesIsServing(String service) {
    try (InProcessServer server = InProcessServer.of(GOOD)) {
      assertThat(check(server, service)).isEqualTo(ServingStatus.SERVING);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ratelimit"})
  void aServerThatNeverHadGoodRulesIsNotServing(String service) {
    try (InProcessServer server = InProcessServer.of(BAD)) {
      assertThat(check(server, service)).isEqualTo(ServingStatus.NOT_SERVING);
    }
  }

  @Test
  void theHealthOfAServiceThatIsNotThereIsNotFound() {
    try (InProcessServer server = InProcessServer.of(GOOD)) {
      assertThatExceptionOfType(StatusRuntimeException.class)
          .isThrownBy(() -> check(server, "envoy.service.ratelimit.v2.RateLimitService"))
          .satisfies(e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
    }
  }

  @Test
  void whoWatchesHealthIsToldOnceThereAreRules() throws InterruptedException {
    try (InProcessServer server = InProcessServer.of(BAD)) {
      Replies<HealthCheckResponse> watched = new Replies<>();
      HealthGrpc.newStub(server.channel())
          .withDeadlineAfter(20, TimeUnit.SECONDS)
          .watch(service("ratelimit"), watched);

      assertThat(watched.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);

      server.reload(GOOD);

      assertThat(watched.next().getStatus()).isEqualTo(ServingStatus.SERVING);
    }
  }

  @Test
  @Timeout(30)
  void whoWatchesHealthIsToldOfTheStopAndDoesNotHoldIt() throws InterruptedException {
    try (InProcessServer server = InProcessServer.of(GOOD, Map.of("DRAIN_TIMEOUT", "1h"))) {
      Replies<HealthCheckResponse> watched = new Replies<>();
      HealthGrpc.newStub(server.channel()).watch(service(""), watched);
      assertThat(watched.next().getStatus()).isEqualTo(ServingStatus.SERVING);

      server.stop();

      assertThat(watched.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
      await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(
              () -> assertThat(watched.error()).hasMessage("UNAVAILABLE: the server stops"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {ServerReflectionGrpc.SERVICE_NAME, Reflection.OLD_NAME})
  void reflectionListsWhatCanBeCalled(String service) throws InterruptedException {
    ServerReflectionResponse reply =
        reflected(service, ServerReflectionRequest.newBuilder().setListServices("").build());

    assertThat(reply.getListServicesResponse().getServiceList())
        .extracting(ServiceResponse::getName)
        .contains(
            "envoy.service.ratelimit.v3.RateLimitService",
            "grpc.health.v1.Health",
            "grpc.reflection.v1.ServerReflection");
  }

  @Test
  void reflectionSendsAServiceWithEveryFileThatItNeeds() throws Exception {
    ServerReflectionResponse reply =
        reflected(
            ServerReflectionRequest.newBuilder()
                .setFileContainingSymbol("envoy.service.ratelimit.v3.RateLimitService")
                .build());

    assertThat(names(reply))
        .contains(
            "envoy/service/ratelimit/v3/rls.proto",
            "envoy/extensions/common/ratelimit/v3/ratelimit.proto",
            "envoy/type/v3/ratelimit_unit.proto",
            "envoy/config/core/v3/base.proto");
  }

  @Test
  void reflectionSaysWhatItDoesNotKnow() throws InterruptedException {
    ServerReflectionResponse reply =
        reflected(ServerReflectionRequest.newBuilder().setFileContainingSymbol("a.b.C").build());

    assertThat(reply.getErrorResponse().getErrorCode())
        .isEqualTo(Status.NOT_FOUND.getCode().value());
  }

  private static ServerReflectionResponse reflected(ServerReflectionRequest request)
      throws InterruptedException {
    return reflected(ServerReflectionGrpc.SERVICE_NAME, request);
  }

  private static ServerReflectionResponse reflected(String service, ServerReflectionRequest request)
      throws InterruptedException {
    var method =
        ServerReflectionGrpc.getServerReflectionInfoMethod().toBuilder()
            .setFullMethodName(service + "/ServerReflectionInfo")
            .build();
    try (InProcessServer server = InProcessServer.of(GOOD)) {
      Replies<ServerReflectionResponse> replies = new Replies<>();
      StreamObserver<ServerReflectionRequest> asked =
          ClientCalls.asyncBidiStreamingCall(
              server.channel().newCall(method, CallOptions.DEFAULT), replies);
      asked.onNext(request);
      ServerReflectionResponse reply = replies.next();
      asked.onCompleted();
      return reply;
    }
  }

  private static List<String> names(ServerReflectionResponse reply)
      throws InvalidProtocolBufferException {
    List<String> names = new ArrayList<>();
    for (ByteString file : reply.getFileDescriptorResponse().getFileDescriptorProtoList()) {
      names.add(FileDescriptorProto.parseFrom(file).getName());
    }
    return names;
  }

  private static ServingStatus check(InProcessServer server, String service) {
    return HealthGrpc.newBlockingStub(server.channel())
        .withDeadlineAfter(10, TimeUnit.SECONDS)
        .check(service(service))
        .getStatus();
  }

  private static HealthCheckRequest service(String name) {
    return HealthCheckRequest.newBuilder().setService(name).build();
  }
}
