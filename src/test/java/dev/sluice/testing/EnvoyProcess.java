package dev.sluice.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real Envoy, as a process of its own. */
public final class EnvoyProcess implements AutoCloseable {
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final ChildProcess process;
  private final Path adminAddress;
  private final Map<String, Integer> ports = new ConcurrentHashMap<>();

  private EnvoyProcess(ChildProcess process, Path adminAddress) {
    this.process = process;
    this.adminAddress = adminAddress;
  }

  /**
   * Starts Envoy, and waits until it is ready.
   *
   * @param binary that {@link EnvoyBinary} found
   * @param yaml its configuration; where a port is 0, the machine chooses
   * @param scratch a directory for its files
   */
  public static EnvoyProcess start(Path binary, String yaml, Path scratch) {
    Path config = scratch.resolve("envoy.yaml");
    Path adminAddress = scratch.resolve("envoy-admin");
    write(config, yaml);
    List<String> command =
        List.of(
            binary.toString(),
            "--config-path",
            config.toString(),
            "--admin-address-path",
            adminAddress.toString(),
            "--disable-hot-restart",
            "--concurrency",
            "1",
            "--log-level",
            "warn");
    EnvoyProcess envoy =
        new EnvoyProcess(ChildProcess.start(scratch, Map.of(), command), adminAddress);
    try {
      envoy.process.await("Envoy is ready", envoy::isReady);
    } catch (AssertionError e) {
      envoy.close();
      throw e;
    }
    return envoy;
  }

  /**
   * Lets Envoy look at a configuration, without running it.
   *
   * @throws AssertionError if it refuses it, with its reason
   */
  public static void validate(Path binary, Path config) {
    List<String> command =
        List.of(binary.toString(), "--mode", "validate", "--config-path", config.toString());
    try (ChildProcess process = ChildProcess.start(SluiceProcess.PROJECT, Map.of(), command)) {
      if (process.exitCode() != 0) {
        throw new AssertionError("Envoy refuses " + config + ": " + process.errors());
      }
    }
  }

  /** The port of a listener. */
  public int port(String listener) {
    return ports.computeIfAbsent(listener, this::find);
  }

  private int find(String listener) {
    Pattern line = Pattern.compile(Pattern.quote(listener) + "::127\\.0\\.0\\.1:(\\d+)");
    Matcher matcher = line.matcher(admin("/listeners"));
    if (!matcher.find()) {
      throw new AssertionError("Envoy has no listener " + listener);
    }
    return Integer.parseInt(matcher.group(1));
  }

  /** A counter or gauge; 0 where Envoy has none of that name yet. */
  public long stat(String name) {
    Pattern line = Pattern.compile("(?m)^" + Pattern.quote(name) + ": (\\d+)$");
    Matcher matcher = line.matcher(admin("/stats?usedonly"));
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
  }

  private boolean isReady() {
    return Files.exists(adminAddress) && !read().isEmpty() && admin("/ready").startsWith("LIVE");
  }

  private String admin(String path) {
    URI uri = URI.create("http://" + read() + path);
    try {
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private String read() {
    try {
      return Files.readString(adminAddress).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
