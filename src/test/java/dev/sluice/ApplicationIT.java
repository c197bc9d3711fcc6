package dev.sluice;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.sluice.settings.Settings;
import dev.sluice.testing.RedisProcess;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A server as a whole, from the first object to the last thread. */
class ApplicationIT {
  private static final Map<String, String> FREE_PORTS =
      Map.of("PORT", "0", "GRPC_PORT", "0", "DEBUG_PORT", "0", "PROMETHEUS_ADDR", "127.0.0.1:0");

  @Test
  void aServerThatIsClosedLeavesNoThreadAndNoConnection() {
    try (RedisProcess redis = RedisProcess.start()) {
      redis.ask(commands -> commands.ping());
      Set<Thread> before = Thread.getAllStackTraces().keySet();
      Application application = start(Map.of("REDIS_URL", redis.url()));
      await().until(() -> connections(redis) == 1);
      application.close();
      await().atMost(Duration.ofSeconds(10)).until(() -> connections(redis) == 0);
      await().atMost(Duration.ofSeconds(10)).until(() -> threadsBeyond(before).isEmpty());
    }
  }

  @Test
  void aServerThatCannotStartLeavesNoThread() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (ServerSocket taken = new ServerSocket(0)) {
      assertThatExceptionOfType(UncheckedIOException.class)
          .isThrownBy(() -> start(Map.of("PROMETHEUS_ADDR", ":" + taken.getLocalPort())))
          .withMessageContaining("PROMETHEUS_ADDR sets another");
    }
    await().atMost(Duration.ofSeconds(10)).until(() -> threadsBeyond(before).isEmpty());
  }

  private static Application start(Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(FREE_PORTS);
    environment.putAll(more);
    return Application.start(Settings.of(environment), Optional.of(Path.of("config")));
  }

  private static long connections(RedisProcess redis) {
    return redis.ask(
        commands -> commands.clientList().lines().filter(it -> it.contains("name=sluice")).count());
  }

  /**
   * Ours, and those of the libraries that we start; a library's own for the whole process may stay.
   */
  private static Set<String> threadsBeyond(Set<Thread> before) {
    Set<String> names = new HashSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      String name = thread.getName();
      if (!before.contains(thread) && (name.startsWith("sluice-") || name.startsWith("lettuce-"))) {
        names.add(name);
      }
    }
    return names;
  }
}
