package dev.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private static final String DURATION = "a duration such as 150ms or 1h30m";

  static Stream<Setting<?>> catalogue() {
    return Stream.of(Catalogue.all(), Fixed.all(), WithoutEffect.all()).flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("catalogue")
  void theStandardOfEverySettingCanBeRead(Setting<?> setting) {
    assertThat((Object) Settings.of(Map.of()).get(setting)).isNotNull();
    assertThat(setting.meaning()).endsWith(".");
  }

  @Test
  void noSettingIsInTheCatalogueTwice() {
    assertThat(
            Stream.of(Catalogue.all(), Fixed.all(), WithoutEffect.all())
                .flatMap(List::stream)
                .map(Setting::name))
        .doesNotHaveDuplicates();
  }

  @Test
  void aVariableThatIsSetToNothingCountsAsUnset() {
    Settings settings = Settings.of(Map.of("PORT", "", "SHADOW_MODE", ""));

    assertThat(settings.get(Catalogue.PORT)).isEqualTo(8080);
    assertThat(settings.isSet(Catalogue.PORT)).isFalse();
  }

  @Test
  void aVariableThatIsSetIsRead() {
    Settings settings = Settings.of(Map.of("PORT", "80"));

    assertThat(settings.get(Catalogue.PORT)).isEqualTo(80);
    assertThat(settings.isSet(Catalogue.PORT)).isTrue();
  }

  @Test
  void variablesOfOtherProgramsAreIgnored() {
    assertThat(Settings.of(Map.of("PATH", "/bin", "port", "x")).get(Catalogue.PORT))
        .isEqualTo(8080);
  }

  @Test
  void allProblemsAreReportedAtOnce() {
    assertThatThrownBy(
            () -> Settings.of(Map.of("PORT", "http", "SHADOW_MODE", "maybe", "DRAIN_DELAY", "5")))
        .isInstanceOf(SettingException.class)
        .hasMessage(
            String.join(
                System.lineSeparator(),
                "PORT is 'http' (expected a whole number from 0 to 65535)",
                "SHADOW_MODE is 'maybe' (expected true or false)",
                "DRAIN_DELAY is '5' (expected " + DURATION + ")"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0s, 0",
    "1ns, 1",
    "150us, 150000",
    "150µs, 150000",
    "150μs, 150000",
    "8ms, 8000000",
    "1.5s, 1500000000",
    ".5s, 500000000",
    "5.s, 5000000000",
    "0.1s, 100000000",
    "1h30m, 5400000000000",
    "1m1ms, 60001000000",
    "1.9ns, 1",
    "9223372036854775807ns, 9223372036854775807",
  })
  void durationsAreWrittenAsInGo(String text, long nanos) {
    assertThat(Settings.of(Map.of("DRAIN_DELAY", text)).get(ProcessCatalogue.DRAIN_DELAY))
        .isEqualTo(Duration.ofNanos(nanos));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "5",
        "5 s",
        " 5s",
        "5S",
        "5d",
        "-5s",
        ".s",
        "s",
        "1h30",
        "1,5s",
        "1e3s",
        "PT5S",
        "99999999999h",
        "9223372036854775808ns",
        "2562047h2562047h",
      })
  void whatIsNoDurationIsRefused(String text) {
    refuses("DRAIN_DELAY", text, DURATION);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0s", "0.4ns", "8"})
  void aTimeoutHasToBePositive(String text) {
    refuses("REDIS_COMMAND_TIMEOUT", text, "a duration such as 8ms");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "0.8, 0.8", ".75, 0.75", "1.00, 1"})
  void theNearLimitRatioIsAPartOfOne(String text, float ratio) {
    assertThat(Settings.of(Map.of("NEAR_LIMIT_RATIO", text)).get(Catalogue.NEAR_LIMIT_RATIO))
        .isEqualTo(ratio);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-0.1", "1.01", "80%", "NaN", "0.8f", "1e-1", "0x1p-1", ".", "nearly"})
  void whatIsNoPartOfOneIsRefused(String text) {
    refuses("NEAR_LIMIT_RATIO", text, "a number from 0 to 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "t", "T", "TRUE", "true", "True"})
  void theseAreTrue(String text) {
    assertThat(Settings.of(Map.of("SHADOW_MODE", text)).get(Catalogue.SHADOW_MODE)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "f", "F", "FALSE", "false", "False"})
  void theseAreFalse(String text) {
    assertThat(Settings.of(Map.of("SHADOW_MODE", text)).get(Catalogue.SHADOW_MODE)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "on", "tRUE", "2", " true"})
  void whatIsNoBooleanIsRefused(String text) {
    refuses("SHADOW_MODE", text, "true or false");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "65536", "99999999999999999999", "80.0", "0x50", " 80", "eighty"})
  void whatIsNoPortIsRefused(String text) {
    refuses("PORT", text, "a whole number from 0 to 65535");
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:0, 127.0.0.1, 0",
    "[::1]:9090, 0:0:0:0:0:0:0:1, 9090",
    "[::]:65535, 0:0:0:0:0:0:0:0, 65535",
  })
  void addressesAreAHostAndAPort(String text, String address, int port) {
    InetSocketAddress read =
        Settings.of(Map.of("PROMETHEUS_ADDR", text)).get(Catalogue.PROMETHEUS_ADDR);

    assertThat(read.getPort()).isEqualTo(port);
    assertThat(read.getAddress().getHostAddress()).isEqualTo(address);
  }

  @Test
  void anAddressWithoutAHostIsEveryAddress() {
    InetSocketAddress read =
        Settings.of(Map.of("PROMETHEUS_ADDR", ":9091")).get(Catalogue.PROMETHEUS_ADDR);

    assertThat(read.getAddress().isAnyLocalAddress()).isTrue();
    assertThat(read.getPort()).isEqualTo(9091);
  }

  @Test
  void theHostOfAnAddressMayBeAName() {
    InetSocketAddress read =
        Settings.of(Map.of("PROMETHEUS_ADDR", "localhost:9090")).get(Catalogue.PROMETHEUS_ADDR);

    assertThat(read.getHostString()).isEqualTo("localhost");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9090",
        "localhost",
        "localhost:",
        ":",
        "::",
        "::1:9090",
        "[::1]",
        "[::1:9090",
        "::1]:9090",
        "[]:9090",
        "[::1]9090",
        ":65536",
        ":99999999999",
        ":-1",
        "localhost:http",
      })
  void whatIsNoAddressIsRefused(String text) {
    refuses("PROMETHEUS_ADDR", text, "host:port or :port");
  }

  @Test
  void aHostIsTextAndMayBeAllAddressesOfBothFamilies() {
    assertThat(Settings.of(Map.of("GRPC_HOST", "::")).get(Catalogue.GRPC_HOST)).isEqualTo("::");
  }

  @ParameterizedTest
  @CsvSource({
    "info, INFO",
    "DEBUG, DEBUG",
    "Trace, TRACE",
    "warning, WARN",
    "warn, WARN",
    "panic, ERROR",
    "fatal, ERROR",
    "error, ERROR",
  })
  void logLevelsHaveTheNamesOfTheReferenceToo(String text, String level) {
    assertThat(Settings.of(Map.of("LOG_LEVEL", text)).get(Catalogue.LOG_LEVEL)).isEqualTo(level);
  }

  @Test
  void whatIsNoLogLevelIsRefused() {
    refuses("LOG_LEVEL", "loud", "error, warn, info, debug or trace");
  }

  @Test
  void aReloadPolicyIsWrittenInAnyCase() {
    assertThat(Settings.of(Map.of()).get(Catalogue.RELOAD_POLICY)).isEqualTo("STRICT");
    assertThat(Settings.of(Map.of("RELOAD_POLICY", "Isolate")).get(Catalogue.RELOAD_POLICY))
        .isEqualTo("ISOLATE");
  }

  @Test
  void whatIsNoReloadPolicyIsRefused() {
    refuses("RELOAD_POLICY", "lax", "strict or isolate");
  }

  private static void refuses(String name, String text, String expected) {
    assertThatThrownBy(() -> Settings.of(Map.of(name, text)))
        .isInstanceOf(SettingException.class)
        .hasMessage(String.format("%s is '%s' (expected %s)", name, text, expected));
  }
}
