package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rulefile.RuleDirectory;
import dev.sluice.rulefile.RuleText;
import dev.sluice.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuleLocationTest {
  @TempDir private Path root;

  @Test
  void withoutAnyVariableTheRulesAreThoseThatComeAlong() {
    assertThat(of(Map.of()).name()).endsWith("config");
  }

  @Test
  void oneOfTheVariablesIsEnoughForThoseOfTheReference() {
    assertThat(of(Map.of("RUNTIME_SUBDIRECTORY", "ratelimit")).name())
        .isEqualTo("/srv/runtime_data/current/ratelimit/config");
    assertThat(of(Map.of("RUNTIME_ROOT", "/data")).name()).isEqualTo("/data/config");
    assertThat(of(Map.of("RUNTIME_APPDIRECTORY", "rules")).name())
        .isEqualTo("/srv/runtime_data/current/rules");
  }

  @Test
  void theDirectoryOnTheCommandLineGoesBeforeTheVariables() {
    Settings settings = Settings.of(Map.of("RUNTIME_ROOT", "/data"));
    assertThat(RuleLocation.of(settings, Optional.of(Path.of("mine"))).name()).isEqualTo("mine");
  }

  @Test
  void onlyWithTheRootWatchedFilesBesideTheDirectoryCount() throws IOException {
    Path config = Files.createDirectories(root.resolve("sub/config"));
    Files.createFile(config.resolve("a.yaml"));
    Files.createFile(root.resolve("sub/config.b.yaml"));
    Map<String, String> environment = new HashMap<>();
    environment.put("RUNTIME_ROOT", root.toString());
    environment.put("RUNTIME_SUBDIRECTORY", "sub");

    assertThat(files(environment)).containsExactly("sub/config.b.yaml", "sub/config/a.yaml");
    environment.put("RUNTIME_WATCH_ROOT", "false");
    assertThat(files(environment)).containsExactly("sub/config/a.yaml");
  }

  private List<String> files(Map<String, String> environment) {
    return of(environment).read().stream()
        .map(RuleText::file)
        .map(file -> root.relativize(Path.of(file)).toString())
        .toList();
  }

  private static RuleDirectory of(Map<String, String> environment) {
    return RuleLocation.of(Settings.of(environment), Optional.empty());
  }
}
