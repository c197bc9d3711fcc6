package dev.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TracingSettingsTest {
  @Test
  void byDefaultNobodyTraces() {
    Settings settings = Settings.of(Map.of());

    assertThat(settings.get(TracingCatalogue.TRACING_ENABLED)).isFalse();
    assertThat(settings.get(TracingCatalogue.TRACING_EXPORTER_PROTOCOL)).isEqualTo("http");
    assertThat(settings.get(TracingCatalogue.TRACING_SAMPLING_RATE)).isEqualTo(1f);
    assertThat(settings.get(TracingCatalogue.TRACING_SERVICE_NAME)).isEqualTo("RateLimit");
    assertThat(settings.get(TracingCatalogue.TRACING_SERVICE_NAMESPACE)).isEmpty();
    assertThat(settings.get(TracingCatalogue.TRACING_SERVICE_INSTANCE_ID)).isEmpty();
  }

  @Test
  void whatIsSaidOfTracesHasAnEffect() {
    Settings settings =
        Settings.of(
            Map.of(
                "TRACING_ENABLED", "true",
                "TRACING_EXPORTER_PROTOCOL", "gRPC",
                "TRACING_SAMPLING_RATE", "0.25"));

    assertThat(settings.withoutEffect()).isEmpty();
    assertThat(settings.get(TracingCatalogue.TRACING_ENABLED)).isTrue();
    assertThat(settings.get(TracingCatalogue.TRACING_EXPORTER_PROTOCOL)).isEqualTo("grpc");
    assertThat(settings.get(TracingCatalogue.TRACING_SAMPLING_RATE)).isEqualTo(0.25f);
  }

  @ParameterizedTest
  @CsvSource({
    "TRACING_ENABLED, yes, true or false",
    "TRACING_EXPORTER_PROTOCOL, udp, http or grpc",
    "TRACING_SAMPLING_RATE, 1.5, a number from 0 to 1",
    "TRACING_SAMPLING_RATE, -1, a number from 0 to 1",
  })
  void whatMeansNothingStopsTheStart(String name, String text, String expected) {
    assertThatThrownBy(() -> Settings.of(Map.of(name, text)))
        .isInstanceOf(SettingException.class)
        .hasMessage(String.format("%s is '%s' (expected %s)", name, text, expected));
  }
}
