package dev.sluice.xds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.rpc.Status;
import dev.sluice.proto.core.Node;
import dev.sluice.proto.discovery.AdsProto;
import dev.sluice.proto.discovery.DiscoveryRequest;
import dev.sluice.proto.discovery.DiscoveryResponse;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The part of Envoy's discovery messages that we speak, held against the published classes. */
class DiscoveryCompatibilityTest {
  static Stream<Arguments> fields() {
    return Stream.of(
            List.of(
                DiscoveryRequest.getDescriptor(),
                io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest.getDescriptor()),
            List.of(
                DiscoveryResponse.getDescriptor(),
                io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse.getDescriptor()),
            List.of(Node.getDescriptor(), io.envoyproxy.envoy.config.core.v3.Node.getDescriptor()))
        .flatMap(
            pair ->
                pair.get(0).getFields().stream()
                    .map(it -> Arguments.of(it.getFullName(), it, pair.get(1))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("fields")
  void everyFieldOfOursIsOfficial(String name, FieldDescriptor ours, Descriptor official) {
    FieldDescriptor theirs =
        Objects.requireNonNull(official.findFieldByNumber(ours.getNumber()), name);

    assertThat(facts(ours)).isEqualTo(facts(theirs));
  }

  @Test
  void theServiceHasTheOfficialNamesAndTypes() {
    MethodDescriptor ours =
        AdsProto.getDescriptor()
            .findServiceByName("AggregatedDiscoveryService")
            .findMethodByName("StreamAggregatedResources");
    MethodDescriptor theirs =
        io.envoyproxy.envoy.service.discovery.v3.AdsProto.getDescriptor()
            .findServiceByName("AggregatedDiscoveryService")
            .findMethodByName("StreamAggregatedResources");

    assertThat(signature(ours)).isEqualTo(signature(theirs));
  }

  @Test
  void theOfficialClassesReadARefusalAsItIsMeant() throws InvalidProtocolBufferException {
    DiscoveryRequest refusal =
        DiscoveryRequest.newBuilder()
            .setVersionInfo("1")
            .setResponseNonce("2")
            .setTypeUrl(Resources.TYPE)
            .setNode(
                Node.newBuilder()
                    .setId("id")
                    .setUserAgentVersion("v")
                    .setMetadata(
                        Struct.newBuilder()
                            .putFields("k", Value.newBuilder().setStringValue("x").build())))
            .setErrorDetail(Status.newBuilder().setCode(3).setMessage("why"))
            .build();

    var read =
        io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest.parseFrom(refusal.toByteArray());

    assertThat(read.getVersionInfo()).isEqualTo("1");
    assertThat(read.getResponseNonce()).isEqualTo("2");
    assertThat(read.getErrorDetail().getMessage()).isEqualTo("why");
    assertThat(read.getNode().getId()).isEqualTo("id");
    assertThat(read.getNode().getUserAgentVersion()).isEqualTo("v");
    assertThat(read.getUnknownFields().asMap()).isEmpty();
    assertThat(read.getNode().getUnknownFields().asMap()).isEmpty();
  }

  @Test
  void weReadAnOfficialResponseAsItIsMeant() throws InvalidProtocolBufferException {
    Any resource =
        Any.newBuilder()
            .setTypeUrl(Resources.TYPE)
            .setValue(ByteString.copyFromUtf8("bytes"))
            .build();
    var response =
        io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse.newBuilder()
            .setVersionInfo("1")
            .setNonce("2")
            .setTypeUrl(Resources.TYPE)
            .addResources(resource)
            .build();

    DiscoveryResponse read = DiscoveryResponse.parseFrom(response.toByteArray());

    assertThat(read.getVersionInfo()).isEqualTo("1");
    assertThat(read.getNonce()).isEqualTo("2");
    assertThat(read.getTypeUrl()).isEqualTo(Resources.TYPE);
    assertThat(read.getResourcesList()).containsExactly(resource);
  }

  private static List<Object> facts(FieldDescriptor field) {
    String message =
        field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
            ? field.getMessageType().getFullName()
            : "";
    return List.of(
        field.getFullName(),
        field.getType(),
        message,
        field.isRepeated(),
        field.hasPresence(),
        field.getJsonName());
  }

  private static List<String> signature(MethodDescriptor method) {
    return List.of(
        method.getFullName(),
        method.getInputType().getFullName(),
        method.getOutputType().getFullName(),
        method.isClientStreaming() + "/" + method.isServerStreaming());
  }
}
