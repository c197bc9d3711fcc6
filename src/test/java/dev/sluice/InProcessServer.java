package dev.sluice;

import static org.awaitility.Awaitility.await;

import dev.sluice.proto.service.RateLimitServiceGrpc;
import dev.sluice.proto.service.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import dev.sluice.rule.RuleBook;
import dev.sluice.settings.Settings;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A whole server inside the tests' process: on free ports, with rule files of its own and buckets
 * in memory, and a channel to it.
 */
public final class InProcessServer implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Map<String, String> FREE_PORTS =
      Map.of(
          "PORT", "0",
          "GRPC_PORT", "0",
          "DEBUG_PORT", "0",
          "PROMETHEUS_ADDR", ":0",
          "WARM_UP", "false",
          "DRAIN_TIMEOUT", "2s");

  private final Path directory;
  private final Application application;
  private final ManagedChannel channel;

  /** Starts a server with these files, by name. */
  public static InProcessServer of(Map<String, String> files) {
    return of(files, Map.of());
  }

  /** Starts a server with these files, by name, and settings, by variable. */
  public static InProcessServer of(Map<String, String> files, Map<String, String> settings) {
    try {
      Path directory = Files.createTempDirectory("sluice-rules");
      write(directory, files);
      return new InProcessServer(directory, settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a server with the files of a directory, and settings, by variable. */
  public static InProcessServer in(Path directory, Map<String, String> settings) {
    return new InProcessServer(directory, settings);
  }

  private InProcessServer(Path directory, Map<String, String> settings) {
    this.directory = directory;
    Map<String, String> environment = new HashMap<>(FREE_PORTS);
    environment.putAll(settings);
    application = Application.start(Settings.of(environment), Optional.of(directory));
    channel =
        Grpc.newChannelBuilderForAddress(
                "localhost", grpcPort(), InsecureChannelCredentials.create())
            .build();
  }

  /** A channel to the gRPC port. */
  public ManagedChannel channel() {
    return channel;
  }

  /** A client of the rate limit service that waits for long, but not for ever. */
  public RateLimitServiceBlockingStub client() {
    return RateLimitServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  public int grpcPort() {
    return application.ports().grpc();
  }

  public int httpPort() {
    return application.ports().http();
  }

  /** An address on the HTTP port. */
  public URI http(String path) {
    return URI.create("http://localhost:" + httpPort() + path);
  }

  /** An address on the metrics port. */
  public URI metrics(String path) {
    return URI.create("http://localhost:" + application.ports().metrics() + path);
  }

  /** An address on the debug port. */
  public URI debug(String path) {
    return URI.create("http://localhost:" + application.ports().debug().orElseThrow() + path);
  }

  /** Writes rule files and waits until a new set of rules is in force. */
  public void reload(Map<String, String> files) {
    Optional<RuleBook> before = application.rules();
    try {
      write(directory, files);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    await().atMost(LONG).until(() -> isOther(before));
  }

  private boolean isOther(Optional<RuleBook> before) {
    Optional<RuleBook> now = application.rules();
    return now.isPresent() && !now.equals(before);
  }

  /** Writes rule files, and does not wait. */
  void write(Map<String, String> files) throws IOException {
    write(directory, files);
  }

  private static void write(Path directory, Map<String, String> files) throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = directory.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
  }

  /** Stops the server as a signal would; its callers keep their connections until it ends them. */
  public void stop() {
    application.close();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    application.close();
    try (Stream<Path> paths = Files.walk(directory)) {
      List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
