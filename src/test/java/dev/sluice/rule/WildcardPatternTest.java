package dev.sluice.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WildcardPatternTest {
  @Property(tries = 5_000)
  void aPatternMatchesWhatItsRegularExpressionMatches(
      @ForAll("patterns") String pattern, @ForAll("values") String value) {
    assertThat(new WildcardPattern(pattern).matches(value)).isEqualTo(oracle(pattern, value));
  }

  @Property
  void aPatternMatchesWhateverStandsForItsStars(
      @ForAll("patterns") String pattern, @ForAll("values") String filling) {
    assertThat(new WildcardPattern(pattern).matches(pattern.replace("*", filling))).isTrue();
  }

  @Property(tries = 20_000)
  void aPatternTakesAllOfAnotherThatItMatchesAsText(
      @ForAll("patterns") String wide,
      @ForAll("patterns") String narrow,
      @ForAll("values") String value) {
    boolean fits = new WildcardPattern(narrow).matches(value);
    boolean missed = fits && !new WildcardPattern(wide).matches(value);

    assertThat(new WildcardPattern(wide).matches(narrow) && missed).isFalse();
  }

  @Property(tries = 5_000)
  void aPatternThatDoesNotMatchAnotherAsTextMissesSomethingOfIt(
      @ForAll("patterns") String wide, @ForAll("patterns") String narrow) {
    String stranger = narrow.replace("*", "\u0000");

    assertThat(new WildcardPattern(wide).matches(narrow))
        .isEqualTo(new WildcardPattern(wide).matches(stranger));
  }

  @Provide
  Arbitrary<String> patterns() {
    return Arbitraries.strings()
        .withChars("ab*.\n")
        .ofMaxLength(8)
        .filter(WildcardPattern::isPattern);
  }

  @Provide
  Arbitrary<String> values() {
    return Arbitraries.strings().withChars("ab.\n*").ofMaxLength(10);
  }

  private static boolean oracle(String pattern, String value) {
    String expression =
        Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    return Pattern.compile(expression, Pattern.DOTALL).matcher(value).matches();
  }

  @ParameterizedTest
  @CsvSource({
    "foo*, foo1, true",
    "foo*, foo, true",
    "foo*, bar, false",
    "foo*, xfoo, false",
    "bar*b, barb, true",
    "bar*b, bar123b, true",
    "bar*b, bara, false",
    "bar*b, xbarb, false",
    "foo*bar*baz, foo123bar456baz, true",
    "foo*bar*baz, foobarbaz, true",
    "foo*bar*baz, foo123baz, false",
    "foo*bar*baz, bar456baz, false",
    "/api*v1, /api-beta-v1, true",
    "/api*v1, /api/v2, false",
    "aba*aba, aba, false",
    "aba*aba, abaaba, true",
    "*.*, a, false",
    "Foo*, foo1, false",
    "*, '', true",
    "**, '', true",
    "*, anything, true",
  })
  void starsStandForAnyCharactersOrNone(String pattern, String value, boolean matches) {
    assertThat(new WildcardPattern(pattern).matches(value)).isEqualTo(matches);
  }

  @Test
  void aLongValueIsMatchedWithoutGoingBack() {
    WildcardPattern pattern = new WildcardPattern("*a".repeat(50) + "*b");

    assertThat(pattern.matches("a".repeat(100_000))).isFalse();
  }

  @Test
  void textWithoutAStarIsRefused() {
    assertThatThrownBy(() -> new WildcardPattern("foo"))
        .hasMessage("'foo' is not a pattern (expected a '*' in it)");
  }
}
