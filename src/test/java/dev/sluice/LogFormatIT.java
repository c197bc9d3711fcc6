package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.sluice.testing.ChildProcess;
import dev.sluice.testing.SluiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process logs, as it is set to. */
final class LogFormatIT {
  @TempDir private Path rules;

  @Test
  void asJsonEveryLineIsAnObjectEvenTheOneThatSaysWhereItListens() {
    try (ChildProcess sluice = start(Map.of("LOG_FORMAT", "json", "REDIS_URL", "localhost:1"))) {
      sluice.await("it runs", () -> sluice.errors().contains("Sluice is running."));
      sluice.terminate();
      assertThat(sluice.exitCode()).isZero();

      List<JsonObject> lines =
          sluice.errors().lines().map(it -> JsonParser.parseString(it).getAsJsonObject()).toList();
      assertThat(lines)
          .isNotEmpty()
          .allSatisfy(
              line ->
                  assertThat(line.keySet()).contains("@message", "@timestamp", "level", "logger"));
      assertThat(lines)
          .anyMatch(line -> line.get("level").getAsString().equals("warning"))
          .anyMatch(line -> line.get("level").getAsString().equals("info"));
      assertThat(sluice.output()).isEmpty();
    }
  }

  @Test
  void itSaysWhichDirectoryItWatches() {
    try (ChildProcess sluice = start(Map.of("LOG_LEVEL", "info"))) {
      sluice.await("it runs", () -> sluice.output().contains("Sluice is running."));
      assertThat(sluice.errors())
          .contains("Rule files are those in " + SluiceProcess.PROJECT + "/config");
    }
  }

  @Test
  void whatIsNoRuleFileIsNamedOnceForEachChange() throws IOException {
    Files.writeString(rules.resolve("notes.txt"), "none");
    Path rule =
        Files.copy(SluiceProcess.PROJECT.resolve("config/login.yaml"), rules.resolve("l.yml"));
    try (SluiceProcess sluice = SluiceProcess.serve(rules, Map.of())) {
      Files.writeString(rules.resolve("more.txt"), "none");
      await().until(() -> sluice.errors().contains("more.txt, " + rules.resolve("notes.txt")));
      Files.writeString(rule, "domain: login\ndescriptors: []\n");
      await().until(() -> sluice.errors().contains("Rules in force: 0"));

      assertThat(sluice.errors().lines().filter(it -> it.contains("Not .yaml or .yml"))).hasSize(2);
    }
  }

  @Test
  void anotherFormatIsRefused() {
    try (ChildProcess sluice = start(Map.of("LOG_FORMAT", "xml"))) {
      assertThat(sluice.exitCode()).isEqualTo(1);
      assertThat(sluice.errors()).contains("LOG_FORMAT is 'xml' (expected text or json)");
    }
  }

  private static ChildProcess start(Map<String, String> environment) {
    return SluiceProcess.run(
        SluiceProcess.PROJECT, environment, SluiceProcess.LAUNCHER.toString(), "serve");
  }
}
