package dev.sluice.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.sluice.proto.core.HeaderValue;
import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RlsProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What we say of Envoy's messages, held against the classes that Envoy's own project publishes. */
final class ProtoCompatibilityTest {
  /** Newer than the published classes. */
  private static final String TOO_NEW = "is_negative_hits";

  private static final Map<Message, Message> OFFICIAL_BY_OURS =
      Map.of(
          RateLimitRequest.getDefaultInstance(),
          io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest.getDefaultInstance(),
          RateLimitResponse.getDefaultInstance(),
          io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.getDefaultInstance(),
          RateLimitDescriptor.getDefaultInstance(),
          io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor
              .getDefaultInstance(),
          HeaderValue.getDefaultInstance(),
          io.envoyproxy.envoy.config.core.v3.HeaderValue.getDefaultInstance());

  @Property(tries = 400)
  void theOfficialClassesReadOurMessagesTheSame(@ForAll("ours") Message ours)
      throws InvalidProtocolBufferException {
    Message type = Objects.requireNonNull(OFFICIAL_BY_OURS.get(ours.getDefaultInstanceForType()));

    Message theirs = type.getParserForType().parseFrom(ours.toByteArray());

    assertSame(ours, theirs);
  }

  @Property(tries = 400)
  void weReadTheOfficialMessagesTheSame(@ForAll("theirs") Message theirs)
      throws InvalidProtocolBufferException {
    Message type =
        OFFICIAL_BY_OURS.entrySet().stream()
            .filter(pair -> pair.getValue().equals(theirs.getDefaultInstanceForType()))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseThrow();

    Message ours = type.getParserForType().parseFrom(theirs.toByteArray());

    assertSame(ours, theirs);
    assertThat(type.getParserForType().parseFrom(ours.toByteArray())).isEqualTo(ours);
  }

  @Example
  void everyFieldOfTheOfficialMessagesIsOursTooWithItsNumberNameTypeAndLabel() {
    List<String> differences = new ArrayList<>();

    OFFICIAL_BY_OURS.forEach(
        (ours, theirs) ->
            compare(ours.getDescriptorForType(), theirs.getDescriptorForType(), differences));

    assertThat(differences).isEmpty();
  }

  @Example
  void theServiceHasTheOfficialNamesAndTypes() {
    var ours = RlsProto.getDescriptor().findServiceByName("RateLimitService");
    var theirs =
        io.envoyproxy.envoy.service.ratelimit.v3.RlsProto.getDescriptor()
            .findServiceByName("RateLimitService");

    assertThat(ours.getFullName()).isEqualTo(theirs.getFullName());
    assertThat(ours.getMethods().stream().map(ProtoCompatibilityTest::signature).toList())
        .isEqualTo(theirs.getMethods().stream().map(ProtoCompatibilityTest::signature).toList());
  }

  @Provide
  Arbitrary<Message> ours() {
    return Arbitraries.of(OFFICIAL_BY_OURS.keySet()).flatMap(ProtoCompatibilityTest::like);
  }

  @Provide
  Arbitrary<Message> theirs() {
    return Arbitraries.of(OFFICIAL_BY_OURS.values()).flatMap(ProtoCompatibilityTest::like);
  }

  private static Arbitrary<Message> like(Message type) {
    return Arbitraries.randomValue(random -> new RandomMessages(random).like(type));
  }

  private static void assertSame(Message ours, Message theirs) {
    for (FieldDescriptor field : ours.getDescriptorForType().getFields()) {
      FieldDescriptor other = theirs.getDescriptorForType().findFieldByName(field.getName());
      if (other == null) {
        assertThat(field.getName()).isEqualTo(TOO_NEW);
        assertThat(theirs.getUnknownFields().hasField(field.getNumber()))
            .isEqualTo(ours.hasField(field));
        continue;
      }
      List<Object> values = values(ours, field);
      List<Object> others = values(theirs, other);
      assertThat(values).as(field.getFullName()).hasSameSizeAs(others);
      for (int i = 0; i < values.size(); i++) {
        assertSame(field, values.get(i), others.get(i));
      }
    }
  }

  private static void assertSame(FieldDescriptor field, Object ours, Object theirs) {
    if (ours instanceof Message message) {
      assertSame(message, (Message) theirs);
    } else if (ours instanceof EnumValueDescriptor value) {
      assertThat(((EnumValueDescriptor) theirs).getNumber()).isEqualTo(value.getNumber());
    } else {
      assertThat(theirs).as(field.getFullName()).isEqualTo(ours);
    }
  }

  private static List<Object> values(Message message, FieldDescriptor field) {
    if (field.isRepeated()) {
      return List.copyOf((List<?>) message.getField(field));
    }
    boolean there = !field.hasPresence() || message.hasField(field);
    return there ? List.of(message.getField(field)) : List.of();
  }

  private static void compare(Descriptor ours, Descriptor theirs, List<String> differences) {
    check(ours.getFullName(), theirs.getFullName(), differences);
    for (FieldDescriptor official : theirs.getFields()) {
      FieldDescriptor field = ours.findFieldByNumber(official.getNumber());
      if (field == null) {
        differences.add("no " + official.getFullName());
        continue;
      }
      check(facts(field), facts(official), differences);
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
          && field.getMessageType() != official.getMessageType()) {
        compare(field.getMessageType(), official.getMessageType(), differences);
      }
      if (field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
        compare(field.getEnumType(), official.getEnumType(), differences);
      }
    }
  }

  private static void compare(
      EnumDescriptor ours, EnumDescriptor theirs, List<String> differences) {
    check(ours.getFullName(), theirs.getFullName(), differences);
    for (EnumValueDescriptor official : theirs.getValues()) {
      EnumValueDescriptor value = ours.findValueByNumber(official.getNumber());
      check(value == null ? "nothing" : value.getName(), official.getName(), differences);
    }
  }

  private static List<Object> facts(FieldDescriptor field) {
    return List.of(
        field.getFullName(),
        field.getType(),
        field.isRepeated(),
        field.hasPresence(),
        field.isPacked(),
        field.getJsonName(),
        field.getContainingOneof() == null ? "" : field.getContainingOneof().getName());
  }

  private static void check(Object ours, Object theirs, List<String> differences) {
    if (!ours.equals(theirs)) {
      differences.add(ours + " is officially " + theirs);
    }
  }

  private static List<String> signature(MethodDescriptor method) {
    return List.of(
        method.getFullName(),
        method.getInputType().getFullName(),
        method.getOutputType().getFullName(),
        method.isClientStreaming() + "/" + method.isServerStreaming());
  }
}
