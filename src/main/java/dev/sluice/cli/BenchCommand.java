package dev.sluice.cli;

import dev.sluice.bench.BenchException;
import dev.sluice.bench.Benchmark;
import dev.sluice.bench.Ceiling;
import dev.sluice.bench.Effort;
import dev.sluice.load.ClosedLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sluice bench}: measures this build on this machine. */
@Command(
    name = "bench",
    description =
        "Measures this build on this machine: starts servers and a Redis, makes calls from here,"
            + " and prints a table. Figures of one run compare; those of two machines do not.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class BenchCommand implements Callable<Integer> {
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double SECONDS_PER_MINUTE = 60;

  @Option(
      names = "--quick",
      description = "A first impression in a few minutes: shorter, and with fewer keys.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      description =
          "Only these scenarios: nothing, hot, hot-leased, denied, zipf, zipf-leased, ten,"
              + " latency, first, memory, faults, growth. May be given several times; without it,"
              + " all but growth, which takes an hour.")
  private Set<String> only = Set.of();

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Length of each measurement in seconds; default: 10, quick: 3.")
  private double seconds;

  @Option(
      names = "--warm",
      paramLabel = "S",
      description = "Load before each measurement in seconds; default: 10, quick: 3.")
  private double warm;

  @Option(
      names = "--keys",
      paramLabel = "N",
      description = "Different keys of the Zipf scenarios; default: 100000, quick: 10000.")
  private int keys;

  @Option(
      names = "--distinct",
      paramLabel = "N",
      description = "Different keys of the memory scenario; default: 1000000, quick: 50000.")
  private int distinct;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description = "Length of the growth scenario in minutes; default: 60, quick: 3.")
  private double minutes;

  @Option(
      names = "--rates",
      split = ",",
      paramLabel = "N",
      description = "Calls per second of the latency scenario; default: 1000,5000,20000.")
  private List<Integer> rates = List.of(1_000, 5_000, 20_000);

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "Connections of the load; default: ${DEFAULT-VALUE}.")
  private int connections = 8;

  @Option(
      names = "--streams",
      paramLabel = "N",
      description = "Calls under way on each of them; default: ${DEFAULT-VALUE}.")
  private int streams = 32;

  @Option(
      names = "--redis",
      paramLabel = "URL",
      description =
          "A Redis that is there, such as localhost:6379; its keys are left alone, and its other"
              + " callers are measured too. Default: redis-server of the PATH is started.")
  private @Nullable String redis;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "A setting of the servers, in place of the scenario's.")
  private Map<String, String> settings = Map.of();

  @Option(
      names = "--h2load",
      description = "Where requests are all alike, let h2load measure too, to check this by it.")
  private boolean h2load;

  @Option(names = "--json", description = "Print JSON instead of a table.")
  private boolean json;

  @Option(names = "--ceiling", hidden = true)
  private int ceiling;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (ceiling > 0) {
      Ceiling.serve(ceiling);
      return 0;
    }
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    try {
      Benchmark.Report report = new Benchmark(plan(), line.getErr()).run(effort());
      line.getOut().println(json ? report.json() : report.text());
      return 0;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(line, String.valueOf(e.getMessage()), e);
    } catch (BenchException e) {
      line.getErr().println(e.getMessage());
      return 1;
    }
  }

  private Benchmark.Plan plan() {
    String home = Optional.ofNullable(System.getProperty("sluice.home")).orElse("");
    Path launcher = Path.of(home, "bin", "sluice").toAbsolutePath();
    return new Benchmark.Plan(launcher, Optional.ofNullable(redis), settings, h2load, only);
  }

  private Effort effort() {
    return new Effort(
        duration(warm > 0 ? warm : quick ? 3 : 10),
        duration(seconds > 0 ? seconds : quick ? 3 : 10),
        keys > 0 ? keys : quick ? 10_000 : 100_000,
        distinct > 0 ? distinct : quick ? 50_000 : 1_000_000,
        duration((minutes > 0 ? minutes : quick ? 3 : 60) * SECONDS_PER_MINUTE),
        new ClosedLoop.Shape(connections, streams),
        rates);
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(seconds * MILLIS_PER_SECOND));
  }
}
