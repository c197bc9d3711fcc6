package dev.sluice.bench;

import dev.sluice.bench.Server.Launch;
import dev.sluice.transport.EventLoops;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The benchmark: each scenario on a server of its own, one after the other, with a Redis for all.
 * It blocks, and takes as long as it takes.
 */
public final class Benchmark {
  private final Plan plan;
  private final PrintWriter progress;

  /**
   * What is to be measured, and with what.
   *
   * @param launcher bin/sluice, which starts the servers
   * @param redis the URL of a Redis; empty: one is started
   * @param settings of the servers, by variable
   * @param h2load whether that measures too
   * @param only names of scenarios; empty: all but those that are measured only by name
   */
  public record Plan(
      Path launcher,
      Optional<String> redis,
      Map<String, String> settings,
      boolean h2load,
      Set<String> only) {
    public Plan {
      settings = Map.copyOf(settings);
      only = Set.copyOf(only);
      only.stream()
          .filter(name -> Scenario.of(name).isEmpty())
          .findFirst()
          .ifPresent(
              name -> {
                throw new IllegalArgumentException(
                    String.format(
                        "there is no scenario '%s' (expected %s)", name, Scenario.names()));
              });
    }

    private boolean has(Scenario scenario) {
      return only.isEmpty() ? !scenario.onlyByName() : only.contains(scenario.id());
    }
  }

  /** What was found. */
  public record Report(String text, String json) {}

  /**
   * A benchmark that has not begun.
   *
   * @param progress is told of each scenario as it begins
   */
  public Benchmark(Plan plan, PrintWriter progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Runs it.
   *
   * @throws BenchException if it cannot come to its end
   */
  public Report run(Effort effort) {
    Path directory = directory();
    try (EventLoops loops = new EventLoops(1);
        Redis redis = Redis.at(plan.redis(), directory)) {
      Launch launch = new Launch(plan.launcher(), directory, plan.settings());
      Optional<H2load> h2load =
          plan.h2load() ? Optional.of(new H2load(directory)) : Optional.empty();
      Throughput throughput = new Throughput(effort, redis, loops, h2load);
      Latency latency = new Latency(effort, loops);
      Memory memory = new Memory(effort, redis, loops);
      throughput(launch, redis, throughput);
      latency(launch, redis, latency);
      if (plan.has(Scenario.MEMORY)) {
        try (Server server = begun(Scenario.MEMORY, launch, redis.url(), true)) {
          memory.measure(server);
        }
      }
      Faults faults = new Faults(effort, loops);
      if (plan.has(Scenario.FAULTS)) {
        faults(launch, directory, faults);
      }
      Growth growth = new Growth(effort, redis, loops);
      if (plan.has(Scenario.GROWTH)) {
        try (Server server = begun(Scenario.GROWTH, launch, redis.url(), true)) {
          growth.measure(server);
        }
        redis.clear();
      }
      return report(
          List.of(
              throughput.figures(),
              latency.figures(),
              memory.figures(),
              faults.figures(),
              growth.figures()));
    } finally {
      remove(directory);
    }
  }

  private void throughput(Launch launch, Redis redis, Throughput throughput) {
    List<Scenario> wanted = Scenario.ofThroughput().stream().filter(plan::has).toList();
    if (wanted.isEmpty() && !plan.has(Scenario.NOTHING)) {
      return;
    }
    say(Scenario.NOTHING);
    try (Server ceiling = Server.nothing(launch)) {
      throughput.measure(ceiling);
      for (Scenario scenario : wanted) {
        try (Server server = begun(scenario, launch, redis.url(), true)) {
          throughput.measure(scenario, server, ceiling);
        }
        redis.clear();
      }
    }
  }

  private void latency(Launch launch, Redis redis, Latency latency) {
    if (plan.has(Scenario.LATENCY)) {
      say(Scenario.NOTHING);
      try (Server server = Server.nothing(launch)) {
        latency.measureRates(Scenario.NOTHING.id(), server);
      }
      try (Server server = begun(Scenario.LATENCY, launch, redis.url(), false)) {
        latency.measureRates(Scenario.LATENCY.id(), server);
      }
    }
    if (plan.has(Scenario.FIRST)) {
      try (Server server = Server.nothing(launch)) {
        latency.warm(server);
      }
      try (Server server = begun(Scenario.FIRST, launch, redis.url(), false)) {
        latency.measureFirst(server);
      }
    }
    redis.clear();
  }

  private void faults(Launch launch, Path directory, Faults faults) {
    try (FaultyRedis redis = new FaultyRedis(directory);
        Server server = begun(Scenario.FAULTS, launch, redis.url(), false)) {
      faults.measure(server, redis);
    }
  }

  private Server begun(Scenario scenario, Launch launch, String redisUrl, boolean watched) {
    say(scenario);
    return Server.sluice(launch, scenario.settings(redisUrl), watched);
  }

  private void say(Scenario scenario) {
    progress.printf("%-12s %s%n", scenario.id(), scenario.title());
    progress.flush();
  }

  private static Report report(List<Figures> parts) {
    List<Figures> filled = parts.stream().filter(part -> !part.rows().isEmpty()).toList();
    List<String> text = new ArrayList<>();
    filled.forEach(part -> text.add(part.text()));
    return new Report(String.join(System.lineSeparator(), text), Json.of(filled));
  }

  private static Path directory() {
    try {
      Path directory = Files.createTempDirectory("sluice-bench");
      Path rules = Files.createDirectory(directory.resolve("rules"));
      Files.writeString(rules.resolve("bench.yaml"), Requests.RULES);
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path directory) {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
