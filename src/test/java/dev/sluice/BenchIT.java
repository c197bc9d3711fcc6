package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.sluice.testing.ChildProcess;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.SluiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/**
 * bin/sluice bench, as small as it gets: every scenario is measured, and what it says makes sense.
 * How fast anything was is of no concern here.
 */
final class BenchIT {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final List<String> SMALL =
      List.of(
          "--quick",
          "--seconds",
          "0.5",
          "--warm",
          "0.5",
          "--keys",
          "100",
          "--distinct",
          "2000",
          "--connections",
          "2",
          "--streams",
          "4",
          "--rates",
          "200");

  /** So that a slow machine is waited for, and does not leave decisions to others than Redis. */
  private static final List<String> PATIENT = List.of("--set", "REDIS_COMMAND_TIMEOUT=2s");

  @TempDir private Path scratch;

  @Test
  void everyScenarioIsMeasured() {
    try (RedisProcess redis = RedisProcess.start()) {
      redis.tell(it -> it.set("somebody", "else's"));
      ChildProcess bench = bench(List.of("--json", "--redis", redis.url()));
      assertThat(bench.exitCode(LONG)).as(bench.errors()).isZero();
      Map<String, Map<String, Map<String, Double>>> found = new Yaml().load(bench.output());
      assertThat(found).containsOnlyKeys("throughput", "latency", "memory", "faults");
      throughput(new Part(found, "throughput"));
      latency(new Part(found, "latency"));
      memory(new Part(found, "memory"));
      faults(new Part(found, "faults"));
      List<String> left = redis.ask(it -> it.keys("*"));
      assertThat(left).contains("somebody").noneMatch(key -> key.startsWith("be:bench"));
    }
  }

  private static void throughput(Part found) {
    assertThat(found.names())
        .containsExactlyInAnyOrder(
            "nothing", "hot", "hot-leased", "denied", "zipf", "zipf-leased", "ten");
    for (String name : found.names()) {
      double expectedDenied = name.equals("denied") ? 1 : 0;
      assertThat(found.figure(name, "calls_per_second")).as(name).isPositive();
      assertThat(found.figure(name, "ratio")).as(name).isPositive();
      assertThat(found.figure(name, "allocated_bytes")).as(name).isGreaterThan(100);
      assertThat(found.figure(name, "redis_calls")).as(name).isBetween(0.0, 1.5);
      assertThat(found.figure(name, "denied")).as(name).isCloseTo(expectedDenied, offset(0.2));
      assertThat(found.figure(name, "stand_in")).as(name).isNotNegative();
    }
    assertThat(found.figure("nothing", "ratio")).isEqualTo(1);
  }

  private static void latency(Part found) {
    assertThat(found.names()).containsExactlyInAnyOrder("nothing-200", "latency-200", "first");
    assertThat(found.figure("first", "calls")).isEqualTo(2_000);
    assertThat(found.figure("first", "start_ms")).isPositive();
    assertThat(found.figure("latency-200", "calls")).isEqualTo(100);
    for (String name : found.names()) {
      double median = found.figure(name, "p50_ms");
      double nearlyAll = found.figure(name, "p99_ms");
      assertThat(median).as(name).isPositive();
      assertThat(nearlyAll).as(name).isGreaterThanOrEqualTo(median);
      assertThat(found.figure(name, "max_ms")).as(name).isGreaterThanOrEqualTo(nearlyAll);
    }
  }

  private static void memory(Part found) {
    assertThat(found.names())
        .containsExactlyInAnyOrder("memory", "fixed-window counter", "sorted-set log of 100");
    assertThat(found.figure("memory", "keys")).isGreaterThanOrEqualTo(2_000);
    double counter = found.figure("fixed-window counter", "redis_bytes_per_key");
    assertThat(counter).isBetween(50.0, 500.0);
    assertThat(found.figure("sorted-set log of 100", "redis_bytes_per_key"))
        .isGreaterThan(5 * counter);
  }

  private static void faults(Part found) {
    assertThat(found.names())
        .contains("none", "killed, and empty afterwards", "SIGSTOP")
        .hasSize(11);
    for (String name : found.names()) {
      assertThat(found.figure(name, "max_ms")).as(name).isPositive();
      assertThat(found.figure(name, "back_s")).as(name).isNotNegative();
    }
    assertThat(found.figure("killed, and empty afterwards", "stand_in")).isPositive();
    assertThat(found.figure("memory is full", "stand_in")).isPositive();
  }

  /** What was found of one part: figures by scenario and name. */
  private record Part(Map<String, Map<String, Map<String, Double>>> found, String part) {
    Set<String> names() {
      return found.getOrDefault(part, Map.of()).keySet();
    }

    double figure(String scenario, String name) {
      Map<String, Double> figures =
          found.getOrDefault(part, Map.of()).getOrDefault(scenario, Map.of());
      return figures.getOrDefault(name, Double.NaN);
    }
  }

  @Test
  void tableHasALineForEachScenario() {
    ChildProcess bench = bench(List.of("--only", "denied"));
    assertThat(bench.exitCode(LONG)).as(bench.errors()).isZero();
    assertThat(bench.output().lines().map(line -> line.split(" ", 2)[0]))
        .contains("nothing", "denied")
        .doesNotContain("hot", "memory");
    assertThat(bench.output()).contains("calls/s", "of ceiling");
  }

  @Test
  void memoryOverALongTimeIsLookedAtAgainAndAgain() {
    ChildProcess bench = bench(List.of("--json", "--only", "growth", "--minutes", "0.05"));
    assertThat(bench.exitCode(LONG)).as(bench.errors()).isZero();
    Part growth = new Part(new Yaml().load(bench.output()), "growth");
    assertThat(growth.names()).hasSize(7);
    assertThat(growth.figure("growth-6", "minutes")).isEqualTo(0.05);
    for (String name : growth.names()) {
      assertThat(growth.figure(name, "live_heap_mib")).as(name).isBetween(1.0, 256.0);
      assertThat(growth.figure(name, "failed")).as(name).isZero();
    }
    assertThat(growth.figure("growth-6", "calls")).isEqualTo(100);
  }

  @Test
  void whatIsMissingIsSaid() {
    try (ChildProcess bench = bench(List.of("--redis", "127.0.0.1:1"))) {
      assertThat(bench.exitCode(LONG)).isEqualTo(1);
      assertThat(bench.errors()).contains("127.0.0.1:1");
    }
    try (ChildProcess bench = bench(List.of("--only", "hots"))) {
      assertThat(bench.exitCode(LONG)).isEqualTo(2);
      assertThat(bench.errors()).contains("there is no scenario 'hots' (expected nothing, hot,");
    }
  }

  private ChildProcess bench(List<String> more) {
    List<String> command = new ArrayList<>(List.of(SluiceProcess.LAUNCHER.toString(), "bench"));
    command.addAll(SMALL);
    command.addAll(PATIENT);
    command.addAll(more);
    return SluiceProcess.run(scratch, Map.of(), command.toArray(String[]::new));
  }
}
