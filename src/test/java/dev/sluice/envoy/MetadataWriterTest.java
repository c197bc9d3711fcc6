package dev.sluice.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.UInt64Value;
import com.google.protobuf.Value;
import dev.sluice.decision.Answer;
import dev.sluice.decision.Hits;
import dev.sluice.decision.Status;
import dev.sluice.limit.Period;
import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.descriptor.RateLimitDescriptor.RateLimitOverride;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.type.RateLimitUnit;
import dev.sluice.rule.Entry;
import dev.sluice.rule.Match;
import dev.sluice.rule.Metadata;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import dev.sluice.rule.Rule.Conduct;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class MetadataWriterTest {
  private static final List<Entry> TOLD = List.of(new Entry("k", "v=w"), new Entry("l", ""));

  @Test
  void whatWasAskedIsSaidBack() {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    descriptor.addEntriesBuilder().setKey("k").setValue("secret");
    descriptor.addEntriesBuilder().setKey("l").setValue("");
    descriptor
        .setHitsAddend(UInt64Value.of(0))
        .setLimit(
            RateLimitOverride.newBuilder().setRequestsPerUnit(42).setUnit(RateLimitUnit.HOUR));
    RateLimitRequest request =
        RateLimitRequest.newBuilder()
            .setDomain("d")
            .setHitsAddend(-1)
            .addDescriptors(descriptor)
            .build();

    Struct written = MetadataWriter.write(request, decision());

    assertThat(written.getFieldsMap()).containsOnlyKeys("domain", "descriptors", "hitsAddend");
    assertThat(written.getFieldsOrThrow("domain").getStringValue()).isEqualTo("d");
    assertThat(written.getFieldsOrThrow("hitsAddend").getNumberValue()).isEqualTo(4294967295.0);
    Struct first =
        written.getFieldsOrThrow("descriptors").getListValue().getValues(0).getStructValue();
    assertThat(first.getFieldsMap()).containsOnlyKeys("entries", "limit", "hitsAddend");
    assertThat(first.getFieldsOrThrow("entries").getListValue().getValuesList())
        .extracting(Value::getStringValue)
        .containsExactly("k=v=w", "l=");
    assertThat(first.getFieldsOrThrow("limit").getStringValue())
        .isEqualTo("requests_per_unit:42 unit:HOUR");
    assertThat(first.getFieldsOrThrow("hitsAddend").getNumberValue()).isZero();
  }

  @Test
  void anOverrideOfZeroNamesOnlyItsUnit() {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("d");
    request.addDescriptorsBuilder().getLimitBuilder().setUnit(RateLimitUnit.DAY);

    Value descriptor =
        MetadataWriter.write(request.build(), decision())
            .getFieldsOrThrow("descriptors")
            .getListValue()
            .getValues(0);

    assertThat(descriptor.getStructValue().getFieldsOrThrow("limit").getStringValue())
        .isEqualTo("unit:DAY");
  }

  @Test
  void hitsBeyond63BitsStayLarge() {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("d");
    request.addDescriptorsBuilder().setHitsAddend(UInt64Value.of(-1));

    Value descriptor =
        MetadataWriter.write(request.build(), decision())
            .getFieldsOrThrow("descriptors")
            .getListValue()
            .getValues(0);

    assertThat(descriptor.getStructValue().getFieldsOrThrow("hitsAddend").getNumberValue())
        .isEqualTo(0x1p64);
  }

  @Test
  void metadataOfRulesThatPassIsMergedAndTheFirstWins() {
    Map<String, @Nullable Object> first = Map.of("name", "one", "more", Map.of("a", 1, "b", true));
    Map<String, @Nullable Object> second =
        Map.of("name", "two", "more", Map.of("b", false, "c", "x"), "other", List.of("y", 2.5));

    Struct merged =
        merged(status(true, first), status(false, Map.of("never", 1)), status(true, second));

    assertThat(merged.getFieldsOrThrow("name").getStringValue()).isEqualTo("one");
    assertThat(merged.getFieldsMap()).containsOnlyKeys("name", "more", "other");
    Struct more = merged.getFieldsOrThrow("more").getStructValue();
    assertThat(more.getFieldsOrThrow("a").getNumberValue()).isEqualTo(1.0);
    assertThat(more.getFieldsOrThrow("b").getBoolValue()).isTrue();
    assertThat(more.getFieldsOrThrow("c").getStringValue()).isEqualTo("x");
    assertThat(merged.getFieldsOrThrow("other").getListValue().getValuesList())
        .containsExactly(
            Value.newBuilder().setStringValue("y").build(),
            Value.newBuilder().setNumberValue(2.5).build());
  }

  @Test
  void theRulesKeepTheirOwn() {
    Map<String, @Nullable Object> values = new LinkedHashMap<>(Map.of("more", Map.of("a", 1)));
    Status first = status(true, values);
    Status second = status(true, Map.of("more", Map.of("b", 2)));

    Struct once = merged(first, second);
    Struct again = merged(first);

    assertThat(once.getFieldsOrThrow("more").getStructValue().getFieldsMap())
        .containsOnlyKeys("a", "b");
    assertThat(again.getFieldsOrThrow("more").getStructValue().getFieldsMap())
        .containsOnlyKeys("a");
  }

  @Test
  void nothingIsAValueToo() {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("none", null);

    assertThat(merged(status(true, values)).getFieldsOrThrow("none").hasNullValue()).isTrue();
  }

  private static Struct merged(Status... statuses) {
    return MetadataWriter.write(
            RateLimitRequest.newBuilder().setDomain("d").build(), decision(statuses))
        .getFieldsOrThrow("metadata")
        .getStructValue();
  }

  private static Answer.Decision decision(Status... statuses) {
    return new Answer.Decision(true, Arrays.asList(statuses), List.of(TOLD));
  }

  private static Status status(boolean ok, Map<String, @Nullable Object> metadata) {
    Rule rule =
        new Rule(
            "d",
            "",
            new RateLimit.Blocked(Period.DAY),
            Conduct.PLAIN,
            Set.of(),
            new Metadata(metadata),
            new Rule.Label(List.of(), false));
    return new Status.Blocked(new Match.Found(rule, List.of(), List.of()), new Hits.Asked(1), ok);
  }
}
