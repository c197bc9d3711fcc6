package dev.sluice.testing;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/** A real Redis: the redis-server on the PATH, else the one that embedded-redis carries. */
public final class RedisProcess implements AutoCloseable {
  private static final String PROGRAM = executable().toString();

  private final int port;
  private final List<String> options;

  /** A file of settings, or nothing. */
  private final List<String> configuration;

  private final RedisClient client;
  private Process process;
  private @Nullable StatefulRedisConnection<String, String> connection;

  /** Starts one, empty, on a free port. */
  public static RedisProcess start() {
    return with();
  }

  /** Starts one, empty, on a free port, with more options of redis-server. */
  public static RedisProcess with(String... options) {
    return new RedisProcess(Processes.freePort(), List.of(options));
  }

  /** Starts a node of a cluster that does not know of any other yet. */
  static RedisProcess node(Path directory) {
    // Nodes talk to each other on a port that is higher by 10000.
    int port = Processes.freePort();
    while (port > 55_000) {
      port = Processes.freePort();
    }
    List<String> options =
        List.of(
            "--cluster-enabled",
            "yes",
            "--cluster-config-file",
            directory.resolve("nodes-" + port + ".conf").toString(),
            "--cluster-node-timeout",
            "1000",
            "--cluster-require-full-coverage",
            "no",
            "--cluster-replica-validity-factor",
            "0");
    return new RedisProcess(port, options);
  }

  /** Starts a sentinel on a free port, with a file that it may write. */
  public static RedisProcess sentinel(Path configuration) {
    return new RedisProcess(
        Processes.freePort(), List.of("--sentinel"), List.of(configuration.toString()));
  }

  /** Where it listens on the loopback. */
  public int port() {
    return port;
  }

  private RedisProcess(int port, List<String> options) {
    this(port, options, List.of());
  }

  private RedisProcess(int port, List<String> options, List<String> configuration) {
    this.port = port;
    this.configuration = configuration;
    this.options = options;
    this.process = launch();
    this.client = RedisClient.create(RedisURI.create("redis://" + url()));
  }

  /** What REDIS_URL is set to. */
  public String url() {
    return "127.0.0.1:" + port;
  }

  /** Ends it as a power cut would. */
  public void kill() {
    hangUp();
    Processes.end(process);
  }

  /** Starts it again, empty, on the same port. */
  public void restart() {
    process = launch();
  }

  /** Keeps it from running while its sockets stay open. */
  public void pause() {
    Processes.signal(process, "STOP");
  }

  /** Lets it run again. */
  public void resume() {
    Processes.signal(process, "CONT");
  }

  /** Talks to it by a connection that is not the one under test. */
  public synchronized <T> T ask(Function<RedisCommands<String, String>, T> question) {
    StatefulRedisConnection<String, String> open = connection;
    if (open == null || !open.isOpen()) {
      open = client.connect();
      connection = open;
    }
    return question.apply(open.sync());
  }

  /** Talks to it by a connection that is not the one under test. */
  public void tell(Consumer<RedisCommands<String, String>> order) {
    ask(
        commands -> {
          order.accept(commands);
          return "told";
        });
  }

  private synchronized void hangUp() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }

  private Process launch() {
    try {
      List<String> command = new ArrayList<>(List.of(PROGRAM));
      command.addAll(configuration);
      command.addAll(List.of("--port", String.valueOf(port), "--bind", "127.0.0.1"));
      command.addAll(List.of("--dir", System.getProperty("java.io.tmpdir")));
      if (configuration.isEmpty()) {
        command.addAll(List.of("--save", "", "--appendonly", "no"));
      }
      command.addAll(options);
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      await()
          .atMost(Duration.ofSeconds(10))
          .pollInterval(Duration.ofMillis(10))
          .until(() -> listens(port));
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static Path executable() {
    return Processes.onPath("redis-server")
        .orElseGet(
            () -> {
              try {
                return ExecutableProvider.newJarResourceProvider().get().toPath();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  @Override
  public void close() {
    hangUp();
    client.shutdown();
    Processes.end(process);
  }
}
