package dev.sluice.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.UniqueElements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketKeyTest {
  @Test
  void aShortPathCanBeReadAsItIs() {
    assertThat(
            BucketKey.in("edge")
                .entry("remote_address", "10.0.0.7")
                .entry("path", "/a")
                .build()
                .text())
        .isEqualTo("edge|remote_address=10.0.0.7,path=/a");
  }

  @Test
  void whatMeansSomethingHereOrToATerminalIsEscaped() {
    assertThat(BucketKey.in("d").entry("k", "a{b}|c=d,e~f%g h\u007F\né").build().text())
        .isEqualTo("d|k=a%7Bb%7D%7Cc%3Dd%2Ce%7Ef%25g%20h%7F%0A%C3%A9");
  }

  @Test
  void separatorsInsideAPartDoNotMergeBuckets() {
    assertThat(BucketKey.in("d").entry("k", "v,k2=v2").build())
        .isNotEqualTo(BucketKey.in("d").entry("k", "v").entry("k2", "v2").build());
    assertThat(BucketKey.in("pay").entry("eu|user", "9").build())
        .isNotEqualTo(BucketKey.in("pay|eu").entry("user", "9").build());
  }

  @Test
  void aLongPathIsBoundedAndTellsItsLastByteApart() {
    String longValue = "x".repeat(65_535);
    BucketKey one = BucketKey.in("big").entry("blob", longValue + "1").build();
    BucketKey two = BucketKey.in("big").entry("blob", longValue + "2").build();
    assertThat(one).isNotEqualTo(two);
    assertThat(one.text())
        .hasSize(68)
        .startsWith("big|blob=xxxxx")
        .matches("[!-~]+~[A-Za-z0-9_-]{27}");
  }

  @ParameterizedTest
  @CsvSource({
    "acme, {acme}",
    "a}b{c, {a%7Db%7Bc}",
    "123456789012345678901234, {123456789012345678901234}",
    "1234567890123456789012345, {~8lQ__bSv-SZa0DN9}",
    "123456789012345678901\u00e9, {~zmaKVP6V6MQI4wMg}",
    "'', ''",
  })
  void aTagGoesBeforeThePathAndIsBounded(String slot, String tag) {
    BucketKey.Builder key = BucketKey.in("edge").entry("tenant", "v");
    assertThat(key.inSlotOf(slot).build().text()).isEqualTo(tag + "edge|tenant=v");
  }

  @Property
  void bucketsOfOneTagHaveOneSlotWhateverElseTheirNamesSay(
      @ForAll @NotEmpty String tag, @ForAll String one, @ForAll String other) {
    String first = BucketKey.in("d").entry("k", one).inSlotOf(tag).build().text();
    String second = BucketKey.in("d").entry("k", other).inSlotOf(tag).build().text();
    assertThat(SlotHash.getSlot("rl:" + first)).isEqualTo(SlotHash.getSlot("rl:" + second));
    assertThat(first).hasSizeLessThanOrEqualTo(26 + 96);
    assertThat(first.substring(first.indexOf('}') + 1))
        .isEqualTo(BucketKey.in("d").entry("k", one).build().text());
  }

  @Property
  void differentPathsHaveDifferentNamesOfBoundedLength(
      @ForAll @Size(min = 2, max = 2) @UniqueElements List<@Size(max = 3) List<String>> paths) {
    List<String> names = new ArrayList<>();
    for (List<String> path : paths) {
      BucketKey.Builder key = BucketKey.in(path.isEmpty() ? "" : path.get(0));
      for (int i = 1; i < path.size(); i++) {
        key.entry("k", path.get(i));
      }
      names.add(key.build().text() + "#" + path.size());
    }
    assertThat(names.get(0)).hasSizeLessThanOrEqualTo(98);
    // Half a surrogate pair is no text: it cannot come over the wire, and has no bytes of its own.
    if (paths.stream().flatMap(List::stream).allMatch(BucketKeyTest::isText)
        && !paths.contains(List.of())) {
      assertThat(names.get(0)).isNotEqualTo(names.get(1));
    }
  }

  private static boolean isText(String part) {
    return java.nio.charset.StandardCharsets.UTF_8.newEncoder().canEncode(part);
  }
}
