package dev.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ReadmeTest {
  @Test
  void theTableOfSettingsIsTheCatalogue() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    String rows =
        Catalogue.all().stream()
            .map(it -> String.format("| `%s` | %s | %s |%n", it.name(), standard(it), it.meaning()))
            .collect(Collectors.joining());
    assertThat(readme).contains("| variable | default | meaning |\n| --- | --- | --- |\n" + rows);
  }

  private static String standard(Setting<?> setting) {
    return setting.standard().isEmpty() ? "" : "`" + setting.standard() + "`";
  }
}
