package dev.sluice.xds;

import static dev.sluice.testing.SampleConfigs.branch;
import static dev.sluice.testing.SampleConfigs.config;
import static dev.sluice.testing.SampleConfigs.daily;
import static dev.sluice.testing.SampleConfigs.leaf;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.sluice.proto.rules.RateLimitConfig;
import dev.sluice.proto.rules.RateLimitDescriptor;
import dev.sluice.proto.rules.RateLimitPolicy;
import dev.sluice.proto.rules.RateLimitUnit;
import dev.sluice.rule.Entry;
import dev.sluice.rule.Match;
import dev.sluice.rule.Rule;
import dev.sluice.rule.RuleBook;
import dev.sluice.rule.RuleListing;
import dev.sluice.rule.ValueHash;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.Problem;
import dev.sluice.rulefile.RuleFiles;
import dev.sluice.rulefile.RuleOptions;
import dev.sluice.rulefile.RuleOptions.Origin;
import dev.sluice.rulefile.RuleOptions.Policy;
import dev.sluice.rulefile.Warning;
import dev.sluice.testing.TestControlPlane;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of the resources of a control plane. */
class ResourcesTest {
  /** As the published Go classes of these messages write it. */
  private static final String WRITTEN_IN_GO =
      "0a04676f6c6412036170691a2e0a04706c616e1204667265651a10080710ffffffff0f22016e2a030a016d220a0a04"
          + "757365721a021801280130011a090a01731a04080110011a0a0a026d691a04080210021a090a01681a04080310"
          + "031a090a01641a04080410041a0a0a026d6f1a04080510051a070a01791a020806";

  @Test
  void whatIsWrittenInGoIsReadHere() {
    Any resource =
        TestControlPlane.any(ByteString.copyFrom(HexFormat.of().parseHex(WRITTEN_IN_GO)));

    Loading loading = load(false, resource);

    RuleBook book = book(loading);
    assertThat(RuleListing.of(book))
        .isEqualTo(
            """
            api.d: unit=DAY requests_per_unit=4, shadow_mode: false, quota_mode: false
            api.h: unit=HOUR requests_per_unit=3, shadow_mode: false, quota_mode: false
            api.mi: unit=MINUTE requests_per_unit=2, shadow_mode: false, quota_mode: false
            api.mo: unit=MONTH requests_per_unit=5, shadow_mode: false, quota_mode: false
            api.plan_free.user: unit=UNKNOWN requests_per_unit=0, shadow_mode: false, quota_mode: false
            api.plan_free: unit=WEEK requests_per_unit=4294967295, shadow_mode: true, quota_mode: false
            api.s: unit=SECOND requests_per_unit=1, shadow_mode: false, quota_mode: false
            api.y: unit=YEAR requests_per_unit=0, shadow_mode: false, quota_mode: false
            """);
    Rule rule = rule(book, "api", "plan", "free");
    assertThat(rule.name()).isEqualTo("n");
    assertThat(rule.replaces()).containsExactly("m");
    assertThat(rule.label().detailed()).isTrue();
  }

  /** Two fields that those classes do not have yet: quota_mode is 7, metadata is 8. */
  @Test
  void theNewestFieldsHaveTheirNumbers() {
    assertThat(RateLimitDescriptor.getDescriptor().findFieldByNumber(7).getName())
        .isEqualTo("quota_mode");
    assertThat(RateLimitDescriptor.getDescriptor().findFieldByNumber(8).getName())
        .isEqualTo("metadata");
    assertThat(TestControlPlane.TYPE).endsWith("/" + RateLimitConfig.getDescriptor().getFullName());
  }

  @Test
  void flagsAndMetadataOfARuleAreItsOwn() {
    Struct metadata =
        Struct.newBuilder()
            .putFields("text", Value.newBuilder().setStringValue("true").build())
            .putFields("number", Value.newBuilder().setNumberValue(1.5).build())
            .putFields("flag", Value.newBuilder().setBoolValue(true).build())
            .putFields("<<", Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build())
            .putFields(
                "list",
                Value.newBuilder()
                    .setListValue(
                        ListValue.newBuilder().addValues(Value.newBuilder().setStringValue("x")))
                    .build())
            .build();
    RateLimitDescriptor descriptor =
        leaf("k", "010", RateLimitUnit.DAY, 1).toBuilder()
            .setQuotaMode(true)
            .setMetadata(metadata)
            .build();

    Rule rule = rule(book(load(false, any(config("d", descriptor)))), "d", "k", "010");

    assertThat(rule.conduct().quota()).isTrue();
    assertThat(rule.metadata().values())
        .containsEntry("text", "true")
        .containsEntry("number", 1.5)
        .containsEntry("flag", true)
        .containsEntry("<<", null)
        .containsEntry("list", List.of("x"));
  }

  @Test
  void everyProblemIsNamedWithItsPath() {
    RateLimitDescriptor bad =
        branch(
            "a",
            "",
            leaf("b", "", RateLimitUnit.UNKNOWN, 1),
            RateLimitDescriptor.newBuilder()
                .setKey("c")
                .setRateLimit(RateLimitPolicy.newBuilder().setUnitValue(9))
                .build(),
            RateLimitDescriptor.newBuilder()
                .setKey("d")
                .setRateLimit(
                    RateLimitPolicy.newBuilder().setUnlimited(true).setUnit(RateLimitUnit.DAY))
                .build());

    assertThat(problems(load(false, any(config("ns/x", bad)))))
        .anyMatch(
            it ->
                it.startsWith(
                    "ns/x: descriptors[0].descriptors[0].rate_limit: the unit is missing"))
        .anyMatch(
            it ->
                it.startsWith(
                    "ns/x: descriptors[0].descriptors[1].rate_limit.unit: unknown unit '9'"))
        .anyMatch(
            it ->
                it.startsWith(
                    "ns/x: descriptors[0].descriptors[2].rate_limit.unit: unit is given for an"
                        + " unlimited rule"))
        .hasSize(3);
  }

  @Test
  void twoLimitsForOnePlaceContradictEachOther() {
    RateLimitConfig twice =
        config("d", leaf("k", "", RateLimitUnit.DAY, 1), leaf("k", "", RateLimitUnit.DAY, 2));

    assertThat(problems(load(false, any(twice))))
        .containsExactly(
            "d: descriptors[1]: 'd.k' is already defined at d: descriptors[0] with another"
                + " rate_limit (expected both to say the same)");
  }

  @Test
  void resourcesOfOneDomainAreMergedWhereTheSettingsSaySo() {
    RateLimitConfig first = daily("d", 1);
    RateLimitConfig second =
        config("d", leaf("l", "", RateLimitUnit.DAY, 2)).toBuilder().setName("e").build();

    assertThat(problems(load(false, any(second), any(first))))
        .containsExactly(
            "e: domain: domain 'd' is already defined at d: domain (expected one resource for each"
                + " domain)");
    assertThat(book(load(true, any(second), any(first))).count("d")).isEqualTo(2);
  }

  @Test
  void aNameThatIsNoTextForATerminalIsMadeOne() {
    RateLimitConfig config = RateLimitConfig.newBuilder().setName("a\nb\u001b").build();

    assertThat(problems(load(false, any(config))))
        .containsExactly(
            "a\\x0Ab\\x1B: domain: the domain is missing or empty (expected the name that Envoy"
                + " sends)");
  }

  /** Envoy Gateway says shadow_mode of the whole chain, and generated patterns overlap. */
  @Test
  void nobodyIsWarnedOfWhatAProgramWrites() {
    RateLimitDescriptor chain =
        branch("r/*", "r/*", leaf("k", "", RateLimitUnit.DAY, 1)).toBuilder()
            .setShadowMode(true)
            .build();

    assertThat(
            warnings(
                load(
                    false,
                    any(
                        config(
                            "d",
                            chain,
                            branch("r/*_com", "r/*_com", leaf("k", "", RateLimitUnit.DAY, 1)))))))
        .isEmpty();
  }

  private static Any any(RateLimitConfig config) {
    return TestControlPlane.any(config);
  }

  private static Loading load(boolean merge, Any... resources) {
    RuleOptions options =
        new RuleOptions(merge, Policy.STRICT, ValueHash.PLAIN, Origin.CONTROL_PLANE);
    return RuleFiles.read("test", Resources.texts(Arrays.asList(resources)), options);
  }

  private static RuleBook book(Loading loading) {
    assertThat(loading).isInstanceOf(Loading.Loaded.class);
    return ((Loading.Loaded) loading).rules();
  }

  private static List<Warning> warnings(Loading loading) {
    assertThat(loading).isInstanceOf(Loading.Loaded.class);
    return loading.warnings();
  }

  private static List<String> problems(Loading loading) {
    assertThat(loading).isInstanceOf(Loading.Rejected.class);
    return ((Loading.Rejected) loading).problems().stream().map(Problem::toString).toList();
  }

  private static Rule rule(RuleBook book, String domain, String key, String value) {
    Match match = book.find(domain, List.of(new Entry(key, value)));
    assertThat(match).isInstanceOf(Match.Found.class);
    return ((Match.Found) match).rule();
  }
}
