package dev.sluice.bench;

import dev.sluice.envoy.EnvoyRateLimitService;
import dev.sluice.load.Target;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** A server under test: a process of its own, started by the launcher, on the loopback address. */
final class Server implements AutoCloseable {
  /** The method that Envoy calls. */
  static final String PATH = "/" + EnvoyRateLimitService.METHOD;

  private static final List<String> KEPT =
      List.of("PATH", "HOME", "JAVA_HOME", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");
  private static final Pattern STAND_IN =
      Pattern.compile("(?m)^sluice_bucket_decisions_total\\{by=\"stand_in\".*} (.*)$");
  private static final int SECONDS_TO_START = 60;
  private static final double BYTES_PER_KIB = 1024;

  private final Process process;
  private final int grpcPort;
  private final int metricsPort;
  private final int jmxPort;
  private final Duration took;
  private Optional<Jvm> jvm = Optional.empty();

  /**
   * How servers are started.
   *
   * @param launcher bin/sluice
   * @param directory for rule files and what servers say
   * @param settings of Sluice, by variable, for all of them
   */
  record Launch(Path launcher, Path directory, Map<String, String> settings) {
    Path log() {
      return directory.resolve("server.log");
    }
  }

  /**
   * Sluice itself, ready to be asked.
   *
   * @param settings by variable, beyond those for all
   * @param watched whether its Java machine is asked later, which a start would be slower for
   */
  static Server sluice(Launch launch, Map<String, String> settings, boolean watched) {
    int http = Processes.freePort();
    int metrics = Processes.freePort();
    Map<String, String> environment = new HashMap<>(settings);
    environment.put("HOST", "127.0.0.1");
    environment.put("PORT", String.valueOf(http));
    environment.put("GRPC_HOST", "127.0.0.1");
    environment.put("DEBUG_HOST", "127.0.0.1");
    environment.put("DEBUG_PORT", "0");
    environment.put("PROMETHEUS_ADDR", "127.0.0.1:" + metrics);
    environment.putAll(launch.settings());
    Path rules = launch.directory().resolve("rules");
    return new Server(
        launch,
        new Start(environment, watched, metrics),
        grpc -> List.of("serve", rules.toString()),
        grpc -> isHealthy(http));
  }

  /** The gRPC server whose handler decides nothing. */
  static Server nothing(Launch launch) {
    return new Server(
        launch,
        new Start(Map.of(), true, 0),
        grpc -> List.of("bench", "--ceiling", String.valueOf(grpc)),
        Processes::listens);
  }

  /** What is known once the port is chosen. */
  private interface ByPort<T> {
    T of(int port);
  }

  /** How one of them is started. */
  private record Start(Map<String, String> environment, boolean watched, int metrics) {}

  private Server(
      Launch launch, Start start, ByPort<List<String>> arguments, ByPort<Boolean> isReady) {
    grpcPort = Processes.freePort();
    metricsPort = start.metrics();
    jmxPort = start.watched() ? Processes.freePort() : 0;
    List<String> command = new ArrayList<>(List.of(launch.launcher().toString()));
    command.addAll(arguments.of(grpcPort));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(launch.log().toFile());
    builder.environment().keySet().retainAll(KEPT);
    builder.environment().putAll(start.environment());
    builder.environment().put("GRPC_PORT", String.valueOf(grpcPort));
    builder.environment().put("JAVA_OPTS", javaOptions());
    long begin = System.nanoTime();
    try {
      process = builder.start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      await(launch, () -> isReady.of(grpcPort));
    } catch (IOException e) {
      throw new BenchException("the server does not start: " + e.getMessage(), e);
    }
    took = Duration.ofNanos(System.nanoTime() - begin);
    if (start.watched()) {
      jvm = Optional.of(new Jvm(jmxPort));
    }
  }

  private String javaOptions() {
    String given = Optional.ofNullable(System.getenv("JAVA_OPTS")).orElse("");
    return jmxPort == 0 ? given : String.join(" ", Jvm.options(jmxPort)) + " " + given;
  }

  private void await(Launch launch, BooleanSupplier isReady) {
    try {
      Processes.await(process, "the server", SECONDS_TO_START, isReady);
    } catch (BenchException e) {
      Processes.end(process);
      throw new BenchException(e.getMessage() + System.lineSeparator() + said(launch), e);
    }
  }

  private static String said(Launch launch) {
    try {
      return Files.readString(launch.log());
    } catch (IOException e) {
      return "and what it said cannot be read: " + e.getMessage();
    }
  }

  private static boolean isHealthy(int port) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create("http://127.0.0.1:" + port + "/healthcheck").toURL().openConnection();
      connection.setConnectTimeout(1_000);
      connection.setReadTimeout(1_000);
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException e) {
      return false;
    }
  }

  /** Decisions that somebody else made for Redis; 0 where it counts none. */
  double standInDecisions() {
    if (metricsPort == 0) {
      return 0;
    }
    try (InputStream page =
        URI.create("http://127.0.0.1:" + metricsPort + "/metrics").toURL().openStream()) {
      return STAND_IN
          .matcher(new String(page.readAllBytes(), StandardCharsets.UTF_8))
          .results()
          .mapToDouble(line -> Double.parseDouble(line.group(1)))
          .sum();
    } catch (IOException e) {
      throw new BenchException("the server does not tell its metrics: " + e.getMessage(), e);
    }
  }

  /** How it is called. */
  Target target() {
    return new Target(Processes.loopback(grpcPort), PATH, List.of());
  }

  int grpcPort() {
    return grpcPort;
  }

  /** From the start of the process until it was ready. */
  Duration start() {
    return took;
  }

  /** Time on a processor since it started; zero where the system does not tell. */
  Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Its Java machine, where it is watched. */
  Jvm jvm() {
    return jvm.orElseThrow();
  }

  /** Bytes of memory that it has; NaN where the system does not tell. */
  double residentBytes() {
    try {
      return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) * BYTES_PER_KIB)
          .findFirst()
          .orElse(Double.NaN);
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  @Override
  public void close() {
    jvm.ifPresent(Jvm::close);
    Processes.end(process);
  }
}
