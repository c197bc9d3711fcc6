package dev.sluice.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.envoy.CallObserver.Ending;
import dev.sluice.envoy.CallObserver.Method;
import dev.sluice.testing.Exposition;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Times and kinds of calls, as they are exported. */
final class CallTelemetryTest {
  private static final String TIME = "ratelimit_service_response_time_seconds_";
  private static final String METHOD = "{grpc_method=\"ShouldRateLimit\"}";
  private static final long SECOND = 1_000_000_000L;

  private final Metrics metrics = new Metrics();

  private Exposition page() {
    return Exposition.parse(metrics.page("").text());
  }

  private static String bucket(String bound) {
    return TIME + "bucket{grpc_method=\"ShouldRateLimit\",le=\"" + bound + "\"}";
  }

  @Test
  void aSecondIsOne() {
    CallTelemetry calls = new CallTelemetry(metrics, false);
    calls.ended(Method.SHOULD_RATE_LIMIT, Ending.ANSWERED, SECOND);

    assertThat(page().value(TIME + "sum" + METHOD)).isEqualTo(1.0);
    assertThat(page().value("ratelimit_service_total_requests" + METHOD)).isEqualTo(1);
  }

  @Test
  void aSecondIsAThousandWhereMillisecondsAreWanted() {
    CallTelemetry calls = new CallTelemetry(metrics, true);
    calls.ended(Method.SHOULD_RATE_LIMIT, Ending.ANSWERED, SECOND);

    assertThat(page().value(TIME + "sum" + METHOD)).isEqualTo(1000.0);
  }

  @Test
  void bucketsCountWhatIsNoLongerThanTheirBound() {
    CallTelemetry calls = new CallTelemetry(metrics, false);
    for (long millis : List.of(1L, 3L, 12L, 20L, 21L, 11_000L)) {
      calls.ended(Method.SHOULD_RATE_LIMIT, Ending.ANSWERED, millis * 1_000_000);
    }

    assertThat(page().value(bucket("0.001"))).isEqualTo(1);
    assertThat(page().value(bucket("0.005"))).isEqualTo(2);
    assertThat(page().value(bucket("0.02"))).isEqualTo(4);
    assertThat(page().value(bucket("10"))).isEqualTo(5);
    assertThat(page().value(bucket("+Inf"))).isEqualTo(6);
    assertThat(page().value(TIME + "count" + METHOD)).isEqualTo(6);
    assertThat(page().value(TIME + "sum" + METHOD)).isEqualTo(11.057);
  }

  @Test
  void anErrorIsOneOfTheServiceAndACallerThatLeftIsNone() {
    CallTelemetry calls = new CallTelemetry(metrics, false);
    calls.ended(Method.SHOULD_RATE_LIMIT, Ending.FAILED, 1);
    calls.ended(Method.JSON, Ending.FAILED, 1);
    calls.ended(Method.CHECK, Ending.FAILED, 1);
    calls.ended(Method.SHOULD_RATE_LIMIT, Ending.ABANDONED, 1);

    assertThat(
            page().value("ratelimit_service_should_rate_limit_error{err_type=\"service_error\"}"))
        .isEqualTo(2);
    assertThat(page().value("sluice_calls_abandoned_total" + METHOD)).isEqualTo(1);
  }

  @Test
  void noCallIsLostWhenManyEndAtOnce() {
    CallTelemetry calls = new CallTelemetry(metrics, false);
    IntStream.range(0, 100_000)
        .parallel()
        .forEach(i -> calls.ended(Method.SHOULD_RATE_LIMIT, Ending.ANSWERED, SECOND));

    assertThat(page().value(TIME + "sum" + METHOD)).isEqualTo(100_000.0);
    assertThat(page().value("ratelimit_service_total_requests" + METHOD)).isEqualTo(100_000);
  }

  @Test
  void whatIsSentIsEachCallByItsWholeMilliseconds128() {
    CallTelemetry calls = new CallTelemetry(metrics, false);
    calls.ended(Method.SHOULD_RATE_LIMIT, Ending.ANSWERED, SECOND);
    calls.ended(Method.SHOULD_RATE_LIMIT, Ending.ANSWERED, 1_999_999);
    calls.ended(Method.SHOULD_RATE_LIMIT, Ending.ABANDONED, 60 * SECOND);
    RecordedStats stats = new RecordedStats();
    metrics.tell(stats);

    assertThat(stats.counted())
        .isEqualTo(Map.of("ratelimit_server.ShouldRateLimit.total_requests", 3L));
    assertThat(stats.timed())
        .isEqualTo(
            Map.of(
                "ratelimit_server.ShouldRateLimit.response_time 1", 1L,
                "ratelimit_server.ShouldRateLimit.response_time 1000", 1L,
                "ratelimit_server.ShouldRateLimit.response_time 10000", 1L));

    calls.ended(Method.CHECK, Ending.ANSWERED, 0);
    RecordedStats later = new RecordedStats();
    metrics.tell(later);
    assertThat(later.counted()).isEqualTo(Map.of("ratelimit_server.Check.total_requests", 1L));
    assertThat(later.timed()).isEqualTo(Map.of("ratelimit_server.Check.response_time 0", 1L));
  }
}
