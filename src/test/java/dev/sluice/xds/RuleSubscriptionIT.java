package dev.sluice.xds;

import static dev.sluice.testing.SampleConfigs.config;
import static dev.sluice.testing.SampleConfigs.daily;
import static dev.sluice.testing.SampleConfigs.leaf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import dev.sluice.proto.discovery.DiscoveryRequest;
import dev.sluice.proto.rules.RateLimitConfig;
import dev.sluice.proto.rules.RateLimitUnit;
import dev.sluice.rule.RuleListing;
import dev.sluice.rule.ValueHash;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.RuleObserver;
import dev.sluice.rulefile.RuleOptions;
import dev.sluice.rulefile.RulesInForce;
import dev.sluice.testing.TestControlPlane;
import dev.sluice.transport.EventLoops;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Metadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What passes between a subscription and a control plane that really listens. */
final class RuleSubscriptionIT {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Waits SHORT =
      new Waits(Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(200), 0.5);
  private static final int LARGEST = 64 * 1024 * 1024;

  private final EventLoops loops = new EventLoops(1);
  private final Told told = new Told();
  private final TestControlPlane controlPlane = TestControlPlane.start();
  private RulesInForce rules = rules(RuleOptions.Policy.STRICT);
  private RuleSubscription subscription = subscription(LARGEST);

  @BeforeEach
  void subscribe() {
    subscription.start();
  }

  @AfterEach
  void close() {
    subscription.close();
    controlPlane.close();
    loops.close();
  }

  @Test
  void theFirstRequestSaysWhoAsksForWhatAndNothingOfVersions() {
    DiscoveryRequest first = controlPlane.request(0);

    assertThat(first.getTypeUrl()).isEqualTo(TestControlPlane.TYPE);
    assertThat(first.getNode().getId()).isEqualTo("envoy-ratelimit");
    assertThat(first.getNode().getMetadata().getFieldsOrThrow("zone").getStringValue())
        .isEqualTo("a");
    assertThat(first.getVersionInfo()).isEmpty();
    assertThat(first.getResponseNonce()).isEmpty();
    assertThat(first.getResourceNamesList()).isEmpty();
    assertThat(first.hasErrorDetail()).isFalse();
    Metadata.Key<String> token = Metadata.Key.of("x-token", Metadata.ASCII_STRING_MARSHALLER);
    assertThat(controlPlane.headers().get(0).get(token)).isEqualTo("secret");
  }

  @Test
  void aSetComesIntoForceAndIsAcknowledgedAndTheNextReplacesIt() {
    controlPlane.publish(daily("a", 1), daily("b", 2));
    awaitRules("a.k: unit=DAY requests_per_unit=1", "b.k: unit=DAY requests_per_unit=2");
    DiscoveryRequest acknowledged = controlPlane.request(1);
    assertThat(acknowledged.getVersionInfo()).isEqualTo("1");
    assertThat(acknowledged.getResponseNonce()).isEqualTo("nonce-1");
    assertThat(acknowledged.hasErrorDetail()).isFalse();
    assertThat(acknowledged.hasNode()).isFalse();

    controlPlane.publish(daily("b", 3));
    awaitRules("b.k: unit=DAY requests_per_unit=3");
    assertThat(controlPlane.request(2).getVersionInfo()).isEqualTo("2");
    assertThat(told.rejected).isEmpty();
  }

  @Test
  void anEmptySetIsOne() {
    controlPlane.publish(daily("a", 1));
    awaitRules("a.k: unit=DAY requests_per_unit=1");
    controlPlane.publish();

    awaitRules();
    assertThat(controlPlane.request(2).hasErrorDetail()).isFalse();
  }

  @Test
  void aBadSetIsRefusedWithItsProblemsAndTheOldRulesStay() {
    controlPlane.publish(daily("a", 1));
    awaitRules("a.k: unit=DAY requests_per_unit=1");

    controlPlane.publish(
        daily("a", 2), config("ns/gateway/http", leaf("", "", RateLimitUnit.UNKNOWN, 3)));

    DiscoveryRequest refusal = controlPlane.refusal(0);
    assertThat(refusal.getVersionInfo()).isEqualTo("1");
    assertThat(refusal.getResponseNonce()).isEqualTo("nonce-2");
    assertThat(refusal.getErrorDetail().getCode()).isEqualTo(Code.INVALID_ARGUMENT_VALUE);
    assertThat(refusal.getErrorDetail().getMessage().lines())
        .containsExactlyInAnyOrder(
            "ns/gateway/http: descriptors[0].key: a descriptor has no key (expected the key of an"
                + " entry that Envoy sends)",
            "ns/gateway/http: descriptors[0].rate_limit: the unit is missing (expected one of"
                + " second, minute, hour, day, week, month, year)");
    assertThat(listing())
        .isEqualTo("a.k: unit=DAY requests_per_unit=1, shadow_mode: false, quota_mode: false\n");
    assertThat(told.rejected).hasSize(1);
  }

  @Test
  void whatIsNoRuleAtAllIsRefusedByItsNumber() {
    controlPlane.publishAll(
        List.of(
            TestControlPlane.any(daily("a", 1)),
            TestControlPlane.any(ByteString.copyFrom(new byte[] {(byte) 0xFF})),
            Any.newBuilder().setTypeUrl("type.googleapis.com/other").build()));

    assertThat(controlPlane.refusal(0).getErrorDetail().getMessage())
        .contains("resource 2: the resource cannot be read: ")
        .contains(
            "resource 3: the resource cannot be read: its type is 'type.googleapis.com/other'");
    assertThat(rules.get()).isEmpty();
    assertThat(told.rejected).hasSize(1);
  }

  /** The control plane answers each refusal with the same set at once. */
  @Test
  void aSetThatIsSentAgainAndAgainIsReadOnceAndRefusedWithPauses() {
    controlPlane.publish(config(""));
    controlPlane.refusal(0);
    long first = System.nanoTime();

    controlPlane.refusal(2);

    assertThat(Duration.ofNanos(System.nanoTime() - first)).isGreaterThan(Duration.ofSeconds(2));
    assertThat(told.rejected).hasSize(1);
    assertThat(controlPlane.refusals())
        .allSatisfy(
            it -> assertThat(it.getErrorDetail().getMessage()).contains("the domain is missing"));
  }

  @Test
  void whatIsMendedIsTakenAfterARefusal() {
    controlPlane.publish(config(""));
    controlPlane.refusal(0);
    controlPlane.publish(daily("a", 1));

    awaitRules("a.k: unit=DAY requests_per_unit=1");
  }

  @Test
  void goodDomainsOfABadSetAreTakenWhereTheyAreIsolatedAndItIsRefusedAllTheSame() {
    subscription.close();
    rules = rules(RuleOptions.Policy.ISOLATE);
    subscription = subscription(LARGEST);
    subscription.start();
    controlPlane.publish(daily("a", 1), daily("b", 1));
    awaitRules("a.k: unit=DAY requests_per_unit=1", "b.k: unit=DAY requests_per_unit=1");

    controlPlane.publish(daily("a", 2), config("b", leaf("k", "", RateLimitUnit.UNKNOWN, 2)));

    awaitRules("a.k: unit=DAY requests_per_unit=2", "b.k: unit=DAY requests_per_unit=1");
    assertThat(controlPlane.refusal(0).getErrorDetail().getMessage())
        .startsWith("b: descriptors[0].rate_limit: the unit is missing");
  }

  /** Its versions begin anew, and equal ones would mean that nothing has to be sent. */
  @Test
  void aControlPlaneThatRestartsIsAskedAsIfItWereTheFirstTime() {
    controlPlane.publish(daily("a", 1));
    awaitRules("a.k: unit=DAY requests_per_unit=1");
    controlPlane.stop();
    await().atMost(LONG).until(() -> told.lost.size() >= 2);
    assertThat(listing()).contains("a.k: unit=DAY requests_per_unit=1");

    controlPlane.publish(daily("a", 2));
    controlPlane.restart();

    awaitRules("a.k: unit=DAY requests_per_unit=2");
    DiscoveryRequest anew = controlPlane.request(2);
    assertThat(anew.getVersionInfo()).isEmpty();
    assertThat(anew.getResponseNonce()).isEmpty();
    assertThat(anew.getNode().getId()).isEqualTo("envoy-ratelimit");
  }

  @Test
  void rulesThatAreSentAgainOnANewStreamAreAcknowledgedAndNotLoadedAgainWhateverTheirOrder() {
    controlPlane.publish(daily("a", 1), daily("b", 1));
    controlPlane.request(1);
    List<Any> reversed =
        new ArrayList<>(
            List.of(TestControlPlane.any(daily("a", 1)), TestControlPlane.any(daily("b", 1))));
    Collections.reverse(reversed);

    controlPlane.endStreams();
    controlPlane.request(3);
    controlPlane.publishAll(reversed);

    assertThat(controlPlane.request(4).getVersionInfo()).isEqualTo("2");
    assertThat(told.loaded).hasSize(1);
    assertThat(told.lost).containsExactly("UNAVAILABLE");
  }

  @Test
  void aSetOfManyMegabytesIsTaken() {
    RateLimitConfig.Builder large = RateLimitConfig.newBuilder().setName("a").setDomain("a");
    String filling = "v".repeat(1024);
    for (int i = 0; i < 6 * 1024; i++) {
      large.addDescriptors(leaf("k", i + filling, RateLimitUnit.DAY, 1));
    }
    controlPlane.publish(large.build());

    await()
        .atMost(LONG)
        .until(() -> rules.get().filter(it -> it.count("a") == 6 * 1024).isPresent());
  }

  @Test
  void aSetThatIsTooLargeIsNotTakenAndTheReasonIsSaid() {
    subscription.close();
    subscription = subscription(1024);
    subscription.start();
    controlPlane.publish(config("a", leaf("k", "v".repeat(2048), RateLimitUnit.DAY, 1)));

    await()
        .atMost(LONG)
        .until(() -> told.lost.stream().anyMatch(it -> it.startsWith("RESOURCE_EXHAUSTED: ")));
    assertThat(rules.get()).isEmpty();
  }

  @Test
  void nothingIsAskedAfterTheEnd() {
    controlPlane.request(0);
    subscription.close();
    controlPlane.publish(daily("a", 1));

    assertThat(rules.get()).isEmpty();
    assertThat(told.lost).isEmpty();
  }

  private RulesInForce rules(RuleOptions.Policy policy) {
    return new RulesInForce(
        new RuleOptions(false, policy, ValueHash.PLAIN, RuleOptions.Origin.CONTROL_PLANE), told);
  }

  private RuleSubscription subscription(int largest) {
    ControlPlane asked =
        new ControlPlane(
            controlPlane.address(),
            new ControlPlane.Security(InsecureChannelCredentials::create, Optional.empty()),
            new ControlPlane.Self(
                "envoy-ratelimit", Map.of("zone", "a"), Map.of("x-token", "secret")),
            largest);
    return new RuleSubscription(asked, SHORT, loops, rules, told);
  }

  private void awaitRules(String... lines) {
    String expected =
        String.join(
            "",
            List.of(lines).stream()
                .map(it -> it + ", shadow_mode: false, quota_mode: false\n")
                .toList());
    await().atMost(LONG).untilAsserted(() -> assertThat(listing()).isEqualTo(expected));
  }

  private String listing() {
    return rules.get().map(RuleListing::of).orElse("no rules");
  }

  /** Remembers what it was told. Thread-safe. */
  private static final class Told implements RuleObserver, ControlPlaneObserver {
    private final List<Loading> loaded = new CopyOnWriteArrayList<>();
    private final List<Loading> rejected = new CopyOnWriteArrayList<>();
    private final List<String> lost = new CopyOnWriteArrayList<>();

    @Override
    public void loaded(Loading.Loaded loading) {
      loaded.add(loading);
    }

    @Override
    public void isolated(Loading.Isolated loading) {}

    @Override
    public void rejected(Loading.Rejected loading) {
      rejected.add(loading);
    }

    @Override
    public void connected() {}

    @Override
    public void answered() {}

    @Override
    public void accepted() {}

    @Override
    public void refused() {}

    @Override
    public void lost(String reason) {
      lost.add(reason);
    }
  }
}
