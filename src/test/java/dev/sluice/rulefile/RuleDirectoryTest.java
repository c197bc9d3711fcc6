package dev.sluice.rulefile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void directoriesBelowAreNotRead() throws IOException {
    Files.createDirectory(home.resolve("below"));
    write("below/rules.yaml", "domain: kube");

    assertThat(new RuleDirectory(home).read()).isEmpty();
  }

  @Test
  void aDirectoryThatDoesNotExistHasNoFiles() {
    RuleDirectory directory = new RuleDirectory(home.resolve("nowhere"));

    assertThat(directory.read()).isEmpty();
    assertThat(directory.fingerprint()).isEmpty();
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
