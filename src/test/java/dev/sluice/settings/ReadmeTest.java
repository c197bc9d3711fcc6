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
    String rows =
        Catalogue.all().stream()
            .map(it -> String.format("| `%s` | %s | %s |%n", it.name(), standard(it), it.meaning()))
            .collect(Collectors.joining());
    assertThat(readme()).contains("| variable | default | meaning |\n| --- | --- | --- |\n" + rows);
  }

  @Test
  void theTableOfFixedVariablesIsTheirList() throws IOException {
    String rows =
        Fixed.all().stream()
            .map(it -> String.format("| `%s` | %s | %s |%n", it.name(), standard(it), it.meaning()))
            .collect(Collectors.joining());
    assertThat(readme()).contains("| variable | has to be | why |\n| --- | --- | --- |\n" + rows);
  }

  @Test
  void variablesWithoutEffectAreListedInTheOrderOfTheirNames() throws IOException {
    String names =
        WithoutEffect.all().stream()
            .map(Setting::name)
            .sorted()
            .map(it -> "`" + it + "`")
            .collect(Collectors.joining(", "));
    assertThat(readme().replaceAll("\\s+", " ")).contains("<!-- without effect --> " + names + ".");
  }

  private static String readme() throws IOException {
    return Files.readString(Path.of("README.md"));
  }

  private static String standard(Setting<?> setting) {
    return setting.standard().isEmpty() ? "" : "`" + setting.standard() + "`";
  }
}
