package dev.sluice.rulefile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuleDirectoryTest {
  @TempDir private Path home;

  @Test
  void filesComeInTheOrderOfTheirNames() throws IOException {
    write("b.yml", "2");
    write("a.yaml", "1");
    write("c.yaml", "3");

    assertThat(new RuleDirectory(home).read())
        .extracting(RuleText::file)
        .containsExactly(path("a.yaml"), path("b.yml"), path("c.yaml"));
  }

  @Test
  void contentIsReadAsItIs() throws IOException {
    write("a.yaml", "domain: café\r\n");

    assertThat(new RuleDirectory(home).read())
        .containsExactly(new RuleText.Read(path("a.yaml"), UTF_8.encode("domain: café\r\n")));
  }

  @Test
  void junkBesideTheRuleFilesIsNotRead() throws IOException {
    write("rules.yaml", "domain: kube");
    Files.createDirectory(home.resolve("..2031_01_01"));
    write("..2031_01_01/rules.yaml", "domain: kube");
    write(".rules.yaml.swp", "\u0000b0VIM not yaml");
    write(".hidden.yaml", "domain: [");
    write("rules.yaml~", "domain: [");
    write("#rules.yaml#", "domain: [");
    write("README.md", "# not rules");
    write("rules.yaml.bak", "domain: kube");
    write("yaml", "domain: kube");

    assertThat(new RuleDirectory(home).read())
        .extracting(RuleText::file)
        .containsExactly(path("rules.yaml"));
  }

  @Test
  void whatIsNoRuleFileIsNamedUnlessItIsHidden() throws IOException {
    Files.createDirectories(home.resolve("below/.git"));
    write("rules.yaml", "domain: kube");
    write("README.md", "# not rules");
    write("below/notes.txt", "none");
    write("below/.git/config", "none");
    write(".hidden", "none");
    Files.createSymbolicLink(home.resolve("link"), Path.of("below"));

    assertThat(new RuleDirectory(home).look().others())
        .containsExactly(path("README.md"), path("below/notes.txt"), path("link"));
  }

  @Test
  void directoriesBelowAreReadUnlessTheyAreHiddenOrLinks() throws IOException {
    Files.createDirectories(home.resolve("below/deep"));
    Files.createDirectories(home.resolve("below/.git"));
    write("top.yaml", "1");
    write("below/rules.yaml", "2");
    write("below/deep/rules.yml", "3");
    write("below/.git/rules.yaml", "4");
    Files.createSymbolicLink(home.resolve("link"), Path.of("below"));

    assertThat(new RuleDirectory(home).read())
        .extracting(RuleText::file)
        .containsExactly(path("below/deep/rules.yml"), path("below/rules.yaml"), path("top.yaml"));
  }

  @Test
  void theDirectoryItselfMayBeALink() throws IOException {
    Files.createDirectory(home.resolve("real"));
    write("real/rules.yaml", "1");
    Files.createSymbolicLink(home.resolve("config"), Path.of("real"));

    for (RuleDirectory directory :
        List.of(new RuleDirectory(home.resolve("config")), new RuleDirectory(home, "config"))) {
      assertThat(directory.name()).isEqualTo(path("config"));
      assertThat(directory.read())
          .extracting(RuleText::file)
          .containsExactly(path("config/rules.yaml"));
    }
  }

  @Test
  void theBeginningOfAPathIsComparedAsTheReferenceDoes() throws IOException {
    Files.createDirectories(home.resolve("config/below"));
    Files.createDirectory(home.resolve("configuration"));
    write("config.yaml", "1");
    write("config.api.yaml", "2");
    write("config/a.yaml", "3");
    write("config/below/b.yaml", "4");
    write("configuration/no.yaml", "5");
    write("configured.yaml", "6");
    write("other.yaml", "7");

    assertThat(new RuleDirectory(home, "config").read())
        .extracting(RuleText::file)
        .containsExactly(
            path("config.api.yaml"),
            path("config.yaml"),
            path("config/a.yaml"),
            path("config/below/b.yaml"));
    assertThat(new RuleDirectory(home, "config/below/").read())
        .extracting(RuleText::file)
        .containsExactly(path("config/below/b.yaml"));
    assertThat(new RuleDirectory(home, "config/below").look().others()).isEmpty();
  }

  @Test
  void aDirectoryThatDoesNotExistHasNoFiles() {
    RuleDirectory directory = new RuleDirectory(home.resolve("nowhere"));

    assertThat(directory.read()).isEmpty();
    assertThat(directory.look()).isEqualTo(RuleDirectory.Look.NOTHING);
  }

  @Test
  void aDirectoryWithTheNameOfARuleFileIsUnreadable() throws IOException {
    Files.createDirectory(home.resolve("rules.yaml"));

    assertThat(new RuleDirectory(home).read())
        .containsExactly(new RuleText.Unreadable(path("rules.yaml"), "it is not a regular file"));
  }

  @Test
  void aLinkThatLeadsNowhereIsUnreadable() throws IOException {
    Files.createSymbolicLink(home.resolve("rules.yaml"), Path.of("nowhere"));

    assertThat(new RuleDirectory(home).read())
        .containsExactly(
            new RuleText.Unreadable(path("rules.yaml"), "it, or what it links to, is not there"));
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(home.resolve(name), content);
  }

  private String path(String name) {
    return home.resolve(name).toString();
  }
}
