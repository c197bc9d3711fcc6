package dev.sluice;

import dev.sluice.testing.OpenLoad.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * What callers saw of a fault from its begin until Redis decided again.
 *
 * @param calls that ended meanwhile, in the order in which they did
 * @param back from the end of the fault until Redis decided again
 */
record FaultTimes(List<Call> calls, Duration back) {
  private static final Path TABLE = Path.of("target", "faults-under-load.md");
  private static final String HEAD =
      """
      | fault | calls | p50 | p99 | p99.9 | most | over 20 ms, ‰ | without Redis, % | back, s |
      | --- | --- | --- | --- | --- | --- | --- | --- | --- |
      """;
  private static final int IN_A_ROW = 20;
  private static final Duration ENVOYS_DEADLINE = Duration.ofMillis(20);
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * The first call after a time that was decided by Redis, as were the next ones, and nearly all of
   * so many.
   */
  static OptionalInt firstByRedis(List<Call> calls, long afterNanos, int nearlyAllOf) {
    return IntStream.rangeClosed(0, calls.size() - nearlyAllOf)
        .filter(
            first ->
                endNanos(calls.get(first)) >= afterNanos
                    && degraded(calls.subList(first, first + IN_A_ROW)) == 0
                    && degraded(calls.subList(first, first + nearlyAllOf)) < nearlyAllOf / 10)
        .findFirst();
  }

  /** Those of all calls since the begin of a fault, of which this is the first that is back. */
  static FaultTimes until(int firstByRedis, List<Call> calls, long overNanos) {
    long back = endNanos(calls.get(firstByRedis)) - overNanos;
    return new FaultTimes(calls.subList(0, firstByRedis + 1), Duration.ofNanos(back));
  }

  private static long endNanos(Call call) {
    return call.beganNanos() + call.nanos();
  }

  private static long degraded(List<Call> calls) {
    return calls.stream().filter(Call::degraded).count();
  }

  /** Adds its row to the table that tests leave behind. */
  void note(String fault) {
    try {
      if (Files.notExists(TABLE)) {
        Files.createDirectories(TABLE.getParent());
        Files.writeString(TABLE, HEAD);
      }
      Files.writeString(TABLE, row(fault), StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String row(String fault) {
    double[] millis =
        calls.stream().mapToDouble(call -> call.nanos() / NANOS_PER_MILLI).sorted().toArray();
    long late = calls.stream().filter(call -> call.nanos() > ENVOYS_DEADLINE.toNanos()).count();
    return String.format(
        Locale.ROOT,
        "| %s | %d | %.2f | %.1f | %s | %.1f | %.1f | %.0f | %.2f |%n",
        fault,
        millis.length,
        atMost(millis, 0.5),
        atMost(millis, 0.99),
        millis.length < 1_000 ? "" : String.format(Locale.ROOT, "%.1f", atMost(millis, 0.999)),
        millis[millis.length - 1],
        late * 1e3 / millis.length,
        degraded(calls) * 1e2 / millis.length,
        back.toNanos() / (double) TimeUnit.SECONDS.toNanos(1));
  }

  /** What a part of them does not exceed. */
  private static double atMost(double[] ascending, double part) {
    return ascending[(int) Math.ceil(part * ascending.length) - 1];
  }
}
