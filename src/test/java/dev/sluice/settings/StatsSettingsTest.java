package dev.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of metrics that are sent. */
final class StatsSettingsTest {
  private static final String PATTERN = "DOG_STATSD_MOGRIFIER_HITS_PATTERN";
  private static final String NAME = "DOG_STATSD_MOGRIFIER_HITS_NAME";
  private static final String TAGS = "DOG_STATSD_MOGRIFIER_HITS_TAGS";

  private static Map<String, String> dog(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("USE_DOG_STATSD", "true");
    settings.put("USE_DOG_STATSD_MOGRIFIERS", "hits");
    return settings;
  }

  @Test
  void theStandardsAreThoseOfTheReference() {
    Settings settings = Settings.of(Map.of());
    assertThat(settings.get(StatsCatalogue.USE_STATSD)).isTrue();
    assertThat(settings.get(StatsCatalogue.STATSD_HOST)).isEqualTo("localhost");
    assertThat(settings.get(StatsCatalogue.STATSD_PORT)).isEqualTo(8125);
    assertThat(settings.get(StatsCatalogue.STATSD_PROTOCOL)).isEqualTo("tcp");
    assertThat(settings.get(StatsCatalogue.STATS_FLUSH_INTERVAL)).isEqualTo(Duration.ofSeconds(10));
    assertThat(settings.get(StatsCatalogue.EXTRA_TAGS)).isEmpty();
  }

  @Test
  void extraTagsArePairsAndThoseThatLackAHalfSayNothing() {
    Settings settings = Settings.of(Map.of("EXTRA_TAGS", "foo:bar,a:b,c:,:d,a:z"));
    assertThat(settings.get(StatsCatalogue.EXTRA_TAGS))
        .containsExactly(Map.entry("a", "z"), Map.entry("foo", "bar"));
  }

  @ParameterizedTest
  @CsvSource({
    "EXTRA_TAGS, a:b:c, 'pairs such as a:b,c:d'",
    "EXTRA_TAGS, 'a:b,', 'pairs such as a:b,c:d'",
    "EXTRA_TAGS, a, 'pairs such as a:b,c:d'",
    "STATS_FLUSH_INTERVAL, 10, 'a duration of 10ms or more, such as 10s'",
    "STATS_FLUSH_INTERVAL, 0, 'a duration of 10ms or more, such as 10s'",
    "STATSD_PROTOCOL, http, tcp or udp",
    "STATSD_PORT, 65536, a whole number from 0 to 65535",
    "USE_DOG_STATSD_MOGRIFIERS, 'A,', 'names such as A,B'",
  })
  void whatMeansNothingIsRefused(String name, String text, String expected) {
    assertThatThrownBy(() -> Settings.of(Map.of(name, text)))
        .isInstanceOf(SettingException.class)
        .hasMessage(String.format("%s is '%s' (expected %s)", name, text, expected));
  }

  @Test
  void twoSinksThatAreBothAskedForAreRefused() {
    assertThatThrownBy(() -> Settings.of(Map.of("USE_STATSD", "true", "USE_DOG_STATSD", "true")))
        .hasMessage("USE_STATSD is 'true' (expected false, since USE_DOG_STATSD is true)");
    for (String other : List.of("USE_PROMETHEUS", "DISABLE_STATS")) {
      Settings both = Settings.of(Map.of("USE_STATSD", "true", other, "true"));
      assertThat(both.get(StatsCatalogue.USE_STATSD)).isTrue();
    }
  }

  @Test
  void aMogrifierIsThreeVariablesWithItsNameInCapitals() {
    Map<String, String> good =
        dog(Map.of(PATTERN, "^(?P<all>.*)$", NAME, "n.$1", TAGS, "a:$1,b:c"));
    Settings settings = Settings.of(good);
    MogrifierVariables hits = StatsCatalogue.mogrifiers(settings).get(0);
    assertThat(settings.get(hits.pattern()).matcher("x").matches()).isTrue();
    assertThat(settings.get(hits.metric())).isEqualTo("n.$1");
    assertThat(settings.get(hits.tags()))
        .containsExactly(Map.entry("a", "$1"), Map.entry("b", "c"));
    assertThat(settings.withoutEffect()).isEmpty();
  }

  @Test
  void aMogrifierThatLacksAPartOrIsMalformedIsRefused133() {
    assertThatThrownBy(() -> Settings.of(dog(Map.of())))
        .hasMessage(
            String.join(
                System.lineSeparator(),
                PATTERN
                    + " is '' (expected a regular expression, since USE_DOG_STATSD_MOGRIFIERS"
                    + " names it)",
                NAME
                    + " is '' (expected the name of a metric, since USE_DOG_STATSD_MOGRIFIERS"
                    + " names it)"));
    assertThatThrownBy(() -> Settings.of(dog(Map.of(PATTERN, "(", NAME, "n"))))
        .hasMessage(PATTERN + " is '(' (expected a regular expression)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a:", ":b", "a:b,:c", "a:b,", "a:b:c", "a:,b:c"})
  void aTagOfAMogrifierHasANameAndAValue133(String tags) {
    assertThatThrownBy(() -> Settings.of(dog(Map.of(PATTERN, "x", NAME, "n", TAGS, tags))))
        .hasMessage(TAGS + " is '" + tags + "' (expected pairs such as a:$1,b:c)");
  }

  @Test
  void whatIsNotUsedIsNotLookedAt() {
    Map<String, String> off = Map.of("USE_DOG_STATSD_MOGRIFIERS", "hits", PATTERN, "(");
    assertThat(Settings.of(off).get(StatsCatalogue.USE_DOG_STATSD)).isFalse();
  }
}
