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

  private RedisProcess(int port, List<String> options) {
    this.port = port;
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
      List<String> command = new ArrayList<>(List.of(PROGRAM, "--port", String.valueOf(port)));
      command.addAll(List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no"));
      command.addAll(List.of("--dir", System.getProperty("java.io.tmpdir")));
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
