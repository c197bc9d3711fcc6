package dev.sluice.rulefile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A rule file below src/test/resources/rules, which says in its comments what is expected of it.
 * One that must not have such comments has a file beside it that does: x.expect for x.yaml.
 */
record RuleFileCase(Path file) {
  private static final Path ALL = Path.of("src", "test", "resources", "rules");

  static Stream<RuleFileCase> in(String directory) {
    try (Stream<Path> files = Files.list(ALL.resolve(directory))) {
      return files
          .filter(file -> file.toString().endsWith(".yaml"))
          .sorted()
          .map(RuleFileCase::new)
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String name() {
    return file.getFileName().toString();
  }

  /** Reads this file alone. */
  Loading read() {
    return RuleFiles.read(
        "rules",
        List.of(new RuleText.Read(name(), ByteBuffer.wrap(bytes(file)))),
        RuleOptions.STRICT);
  }

  /** What its comments say behind this word. */
  List<String> says(String word) {
    Path beside = file.resolveSibling(name().replace(".yaml", ".expect"));
    byte[] comments = bytes(Files.exists(beside) ? beside : file);
    String start = "# " + word + ": ";
    return new String(comments, StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .toList();
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return name();
  }
}
