package dev.sluice.rulefile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The watch with the thread that it looks with. */
class ScheduledRuleWatchTest {
  @TempDir private Path home;
  private final RulesInForce rules =
      new RulesInForce(RuleOptions.STRICT, new RecordingRuleObserver());
  private RuleWatch watch;

  @BeforeEach
  void watchHome() {
    watch = new RuleWatch(new RuleDirectory(home), rules);
  }

  @AfterEach
  void close() {
    watch.close();
  }

  @Test
  void theFirstRulesAreTakenBeforeStartReturns() throws IOException {
    write("a.yaml", OneLimit.file("aa", 1));

    assertThat(watch.start()).isInstanceOf(Loading.Loaded.class);
    assertThat(limitOf("aa")).isEqualTo(1);
  }

  @Test
  void aStartWithoutFilesIsRejectedAndTheFirstFileIsTakenLater() throws IOException {
    assertThat(watch.start()).isInstanceOf(Loading.Rejected.class);
    write("a.yaml", OneLimit.file("aa", 1));

    await().atMost(Duration.ofSeconds(2)).until(() -> rules.get().isPresent());
  }

  @Test
  void aChangeIsInForceWithinTwoSeconds() throws IOException {
    write("a.yaml", OneLimit.file("aa", 1));
    watch.start();
    write("a.yaml", OneLimit.file("aa", 20));

    await().atMost(Duration.ofSeconds(2)).until(() -> limitOf("aa") == 20);
  }

  @Test
  void closingEndsTheThread() throws IOException {
    write("a.yaml", OneLimit.file("aa", 1));
    watch.start();
    write("a.yaml", OneLimit.file("aa", 20));
    await().until(() -> limitOf("aa") == 20);
    assertThat(threads()).isNotEmpty();

    watch.close();

    await().untilAsserted(() -> assertThat(threads()).isEmpty());
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("sluice-rules"))
        .toList();
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(home.resolve(name), content);
  }

  private long limitOf(String domain) {
    return OneLimit.in(rules.get().orElseThrow(), domain);
  }
}
