package dev.sluice.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The server as people start it: {@code bin/sluice} as a process of its own, on free ports of the
 * loopback address.
 */
public final class SluiceProcess implements AutoCloseable {
  /** Where the project is: tests run there. */
  public static final Path PROJECT = Path.of("").toAbsolutePath();

  /** The launcher. */
  public static final Path LAUNCHER = PROJECT.resolve("bin/sluice");

  private final ChildProcess process;

  private SluiceProcess(ChildProcess process) {
    this.process = process;
  }

  /**
   * Starts a server with the rule files in a directory, and waits until it listens. Whether it has
   * good rules by then is another matter.
   *
   * @param environment settings, on top of {@link #freePorts}
   */
  public static SluiceProcess serve(Path rules, Map<String, String> environment) {
    return started(run(PROJECT, environment, LAUNCHER.toString(), "serve", rules.toString()));
  }

  /**
   * Waits until a process that was begun with {@link #run} listens; ends it where it does not come
   * to that.
   */
  public static SluiceProcess started(ChildProcess process) {
    try {
      process.await("Sluice is running", () -> process.output().contains("Sluice is running."));
      process.await("its ports", () -> find(process, "metrics ").find());
    } catch (AssertionError e) {
      process.close();
      throw e;
    }
    return new SluiceProcess(process);
  }

  /** Begins any command, with the Java of this test and free ports, and waits for nothing. */
  public static ChildProcess run(
      Path directory, Map<String, String> environment, String... command) {
    Map<String, String> all = new HashMap<>(freePorts());
    all.put("JAVA_HOME", System.getProperty("java.home"));
    all.putAll(environment);
    return ChildProcess.start(directory, all, new ArrayList<>(List.of(command)));
  }

  /** Settings that make the machine choose all ports, and no calls but the test's. */
  public static Map<String, String> freePorts() {
    return Map.of(
        "WARM_UP", "false",
        "HOST", "127.0.0.1",
        "PORT", "0",
        "GRPC_HOST", "127.0.0.1",
        "GRPC_PORT", "0",
        "DEBUG_HOST", "127.0.0.1",
        "DEBUG_PORT", "0",
        "PROMETHEUS_ADDR", "127.0.0.1:0");
  }

  /** The port of the rate limit service, health and reflection. */
  public int grpcPort() {
    return port("gRPC");
  }

  /** The port of /json and /healthcheck. */
  public int httpPort() {
    return port("HTTP");
  }

  /** The debug port. */
  public int debugPort() {
    return port("debug");
  }

  /** The port of the metrics. */
  public int metricsPort() {
    return port("metrics");
  }

  private int port(String name) {
    Matcher matcher = find(process, name);
    if (!matcher.find()) {
      throw new AssertionError("no port of " + name + " in: " + process.output());
    }
    return Integer.parseInt(matcher.group(1));
  }

  private static Matcher find(ChildProcess process, String name) {
    return Pattern.compile(" " + name + " +localhost:(\\d+)").matcher(process.output());
  }

  /** What it said to people. */
  public String output() {
    return process.output();
  }

  /** What it logged. */
  public String errors() {
    return process.errors();
  }

  /** Its number. */
  public long pid() {
    return process.pid();
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Asks it to stop, with SIGTERM. */
  public void terminate() {
    process.terminate();
  }

  /** Ends it with SIGKILL, and waits until it is gone. */
  public void kill() {
    process.kill();
  }

  /** Its exit code, if it ends that soon. */
  public int exitCode(Duration atMost) {
    return process.exitCode(atMost);
  }

  @Override
  public void close() {
    process.close();
  }
}
