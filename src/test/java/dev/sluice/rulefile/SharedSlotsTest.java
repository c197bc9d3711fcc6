package dev.sluice.rulefile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rule.Entry;
import dev.sluice.rule.Match;
import dev.sluice.rule.RuleBook;
import dev.sluice.rulefile.Loading.Loaded;
import dev.sluice.rulefile.Loading.Rejected;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which buckets share a slot of a cluster, by what files say of it. */
final class SharedSlotsTest {
  private static final String RULES =
      """
      descriptors:
        - {key: path, rate_limit: {unit: day, requests_per_unit: 1}}
        - key: tenant
          rate_limit: {unit: day, requests_per_unit: 9}
          descriptors: [{key: path, rate_limit: {unit: day, requests_per_unit: 1}}]
        - key: path
          value: /login
          descriptors: [{key: tenant, rate_limit: {unit: day, requests_per_unit: 1}}]
        - {key: shared, value: acme*, share_threshold: true, rate_limit: {unit: day, requests_per_unit: 1}}
        - {key: token, hash_value: true, rate_limit: {unit: day, requests_per_unit: 1}}
      """;

  @Test
  void bucketsOfATenantShareASlotWhereverItsEntryStands() {
    String by = "domain: d\nslot_by: tenant\n" + RULES;
    List<String> names =
        List.of(
            bucket(by, "tenant", "acme"),
            bucket(by, "tenant", "acme", "path", "/checkout"),
            bucket(by, "path", "/login", "tenant", "acme"));
    assertThat(names)
        .containsExactly(
            "{acme}d|tenant=acme",
            "{acme}d|tenant=acme,path=/checkout",
            "{acme}d|path=/login,tenant=acme");
    assertThat(names.stream().map(SlotHash::getSlot).distinct()).hasSize(1);
    assertThat(SlotHash.getSlot(bucket(by, "tenant", "emca")))
        .isNotEqualTo(SlotHash.getSlot(names.get(0)));
  }

  @Test
  void otherBucketsKeepTheirNames() {
    String by = "domain: d\nslot_by: tenant\n" + RULES;
    assertThat(bucket(by, "path", "/a")).isEqualTo("d|path=/a");
    assertThat(bucket("domain: d\n" + RULES, "tenant", "acme")).isEqualTo("d|tenant=acme");
    assertThat(bucket("domain: d\nslot_by:\n" + RULES, "tenant", "acme"))
        .isEqualTo("d|tenant=acme");
    assertThat(bucket(by, "tenant", "")).isEqualTo("d|tenant=");
  }

  @Test
  void aBucketThatManyValuesShareStaysOne() {
    String by = "domain: d\nslot_by: shared\n" + RULES;
    assertThat(bucket(by, "shared", "acme1"))
        .isEqualTo(bucket(by, "shared", "acme2"))
        .isEqualTo("{acme*}d|shared=acme*");
  }

  @Test
  void aHiddenValueIsNoTag() {
    String name = bucket("domain: d\nslot_by: token\n" + RULES, "token", "s3cr3t");
    assertThat(name).doesNotContain("s3cr3t").matches("\\{~[\\w-]{16}}d\\|token=#[\\w-]{27}");
  }

  @Test
  void aWholeDomainMayShareASlot() {
    String by = "domain: d\nslot_by: domain\n" + RULES;
    assertThat(bucket(by, "path", "/a")).isEqualTo("{d}d|path=/a");
    assertThat(bucket(by, "tenant", "acme")).isEqualTo("{d}d|tenant=acme");
  }

  @Test
  void whatOneFileSaysHoldsForAllFilesOfTheDomain() {
    String says = "domain: d\nslot_by: tenant\n";
    String silent = "domain: d\n" + RULES;
    assertThat(bucket(read(says, silent), "tenant", "a")).isEqualTo("{a}d|tenant=a");
    assertThat(bucket(read(silent, says), "tenant", "a")).isEqualTo("{a}d|tenant=a");
    assertThat(bucket(read(silent, says, says), "tenant", "a")).isEqualTo("{a}d|tenant=a");
  }

  @Test
  void filesThatDisagreeAreAProblemThatNamesBothPlaces() {
    assertThat(
            problems("domain: d\nslot_by: tenant\n" + RULES, "slot_by: path\ndomain: d\n", RULES))
        .contains(
            "2.yaml:1:10: slot_by is already given at 1.yaml:2:10 with another value (expected both"
                + " to say the same)");
    assertThat(problems("domain: d\nslot_by: domain\n", "domain: d\nslot_by: tenant\n")).hasSize(1);
  }

  @Test
  void theWordForTheDomainIsNoKeyInAnyFileOfIt() {
    String key = "domain: d\ndescriptors: [{key: domain}]\n";
    assertThat(problems(key, "domain: d\nslot_by: domain\n"))
        .singleElement()
        .asString()
        .startsWith("2.yaml:2:10: slot_by 'domain' means all buckets")
        .contains("at 1.yaml:2:15");
  }

  private static String bucket(String file, String... entries) {
    return bucket(read(file), entries);
  }

  private static String bucket(Loading loading, String... keysAndValues) {
    assertThat(loading).isInstanceOf(Loaded.class);
    RuleBook rules = ((Loaded) loading).rules();
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      entries.add(new Entry(keysAndValues[i], keysAndValues[i + 1]));
    }
    Match match = rules.find("d", entries);
    assertThat(match).isInstanceOf(Match.Found.class);
    return rules.bucket("d", ((Match.Found) match).bucketEntries()).text();
  }

  private static List<String> problems(String... files) {
    Loading loading = read(files);
    assertThat(loading).isInstanceOf(Rejected.class);
    return ((Rejected) loading).problems().stream().map(Problem::toString).toList();
  }

  private static Loading read(String... files) {
    List<RuleText> texts = new ArrayList<>();
    for (String text : files) {
      String name = (texts.size() + 1) + ".yaml";
      texts.add(new RuleText.Read(name, StandardCharsets.UTF_8.encode(text)));
    }
    return RuleFiles.read("rules", texts, new RuleOptions(true, RuleOptions.Policy.STRICT));
  }
}
