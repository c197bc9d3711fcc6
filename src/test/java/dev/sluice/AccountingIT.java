package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UInt64Value;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.testing.Exposition;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What hits add to the counters of the reference server, by the numbers of its cases. */
final class AccountingIT {
  private static final String RULES =
      """
      domain: d
      descriptors:
        - {key: fast, rate_limit: {unit: second, requests_per_unit: 50}}
        - {key: eight, rate_limit: {unit: hour, requests_per_unit: 8}}
        - {key: ten, rate_limit: {unit: hour, requests_per_unit: 10}}
        - {key: fifteen, rate_limit: {unit: hour, requests_per_unit: 15}}
        - {key: twenty, rate_limit: {unit: hour, requests_per_unit: 20}}
        - {key: block, rate_limit: {unit: second, requests_per_unit: 0}}
        - {key: watched, shadow_mode: true, rate_limit: {unit: hour, requests_per_unit: 3}}
        - {key: watched_block, shadow_mode: true, rate_limit: {unit: hour, requests_per_unit: 0}}
        - {key: free, rate_limit: {unlimited: true}}
        - {key: spaced, rate_limit: {unit: hour, requests_per_unit: 20, burst: 10}}
      """;

  /** Hits on one key: of the request, or of the descriptor. */
  private record Call(String key, long hits, boolean own) {}

  /** Calls, and what they make of the counters of a key. */
  private record Row(String title, List<Call> calls, String key, Counts expected) {
    @Override
    public String toString() {
      return title;
    }
  }

  private record Counts(double total, double within, double over, double near, double shadow) {}

  static Stream<Row> rows() {
    return Stream.of(
        row("84: one hit", "fast", new Counts(1, 1, 0, 0, 0), 1),
        row("85: five of 25 are over", "twenty", new Counts(25, 20, 5, 4, 0), ones(25)),
        row("88: a limit of 0 is over at once", "block", new Counts(3, 0, 3, 0, 0), 1, 2),
        row("89: below the near limit", "twenty", new Counts(5, 5, 0, 0, 0), 2, 3),
        row("90: half beyond the near limit", "eight", new Counts(7, 7, 0, 1, 0), 5, 2),
        row("91: all beyond the near limit", "twenty", new Counts(19, 19, 0, 3, 0), 16, 3),
        row("92: what does not fit is over", "twenty", new Counts(22, 19, 3, 3, 0), 19, 3),
        row("92: one that fits still does", "twenty", new Counts(23, 20, 3, 4, 0), 19, 3, 1),
        row("93: none of seven fits", "twenty", new Counts(22, 15, 7, 0, 0), 15, 7),
        row("93: five still fit", "twenty", new Counts(27, 20, 7, 4, 0), 15, 7, 5),
        row("94: more than there ever is", "ten", new Counts(13, 10, 3, 2, 0), 10, 3),
        row("95: the last three are near", "fifteen", new Counts(15, 15, 0, 3, 0), ones(15)),
        row("95: the first over is not near", "fifteen", new Counts(16, 15, 1, 3, 0), ones(16)),
        row("a watched rule is over too", "watched", new Counts(5, 3, 2, 1, 2), ones(5)),
        row("a watched 0 is over too", "watched_block", new Counts(2, 0, 2, 0, 2), ones(2)),
        row("near is a part of the burst", "spaced", new Counts(9, 9, 0, 1, 0), 9),
        own("96: a look moves nothing", "ten", new Counts(0, 0, 0, 0, 0), 0, 0),
        own("a report that fits", "ten", new Counts(9, 9, 0, 1, 0), 9),
        own("a report that does not fit is over", "ten", new Counts(20, 9, 11, 1, 0), 9, 11),
        own("a look at 0 moves nothing", "block", new Counts(0, 0, 0, 0, 0), 0));
  }

  private static long[] ones(int count) {
    return Stream.generate(() -> 1L).limit(count).mapToLong(it -> it).toArray();
  }

  private static Row row(String title, String key, Counts expected, long... hits) {
    return row(title, key, expected, false, hits);
  }

  private static Row own(String title, String key, Counts expected, long... hits) {
    return row(title, key, expected, true, hits);
  }

  private static Row row(String title, String key, Counts expected, boolean own, long... hits) {
    List<Call> calls = Arrays.stream(hits).mapToObj(it -> new Call(key, it, own)).toList();
    return new Row(title, calls, key, expected);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void hitsAddUpAsInTheTable(Row row) {
    try (InProcessServer server = InProcessServer.of(Map.of("d.yaml", RULES))) {
      row.calls().forEach(call -> ask(server, call));

      assertThat(counts(server, row.key())).isEqualTo(row.expected());
    }
  }

  @ParameterizedTest
  @MethodSource("shares")
  void theNearLimitIsMadeInSinglePrecision(String ratio, double near) {
    Map<String, String> settings = Map.of("NEAR_LIMIT_RATIO", ratio);
    try (InProcessServer server = InProcessServer.of(Map.of("d.yaml", RULES), settings)) {
      ask(server, new Call("ten", 10, false));

      assertThat(counts(server, "ten").near()).isEqualTo(near);
    }
  }

  static Stream<Arguments> shares() {
    return Stream.of(
        Arguments.of("0.7", 3),
        Arguments.of("0.95", 1),
        Arguments.of("1", 0),
        Arguments.of("0", 10));
  }

  private static Counts counts(InProcessServer server, String key) {
    Exposition page = Exposition.at(server.metrics("/metrics"));
    return new Counts(
        value(page, "total_hits", key),
        value(page, "within_limit", key),
        value(page, "over_limit", key),
        value(page, "near_limit", key),
        value(page, "shadow_mode", key));
  }

  private static double value(Exposition page, String counter, String key) {
    String labels = "{domain=\"d\",key1=\"" + key + "\"}";
    return page.value("ratelimit_service_rate_limit_" + counter + labels);
  }

  private static void ask(InProcessServer server, Call call) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("d");
    request.addDescriptorsBuilder().addEntriesBuilder().setKey(call.key()).setValue("v");
    if (call.own()) {
      request.getDescriptorsBuilder(0).setHitsAddend(UInt64Value.of(call.hits()));
    } else {
      request.setHitsAddend((int) call.hits());
    }
    var unused = server.client().shouldRateLimit(request.build());
  }
}
