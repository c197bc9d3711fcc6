package dev.sluice.conformance;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The case files among the tests' resources. */
final class CaseFiles {
  private CaseFiles() {}

  /** All YAML files in a directory of resources, by name. */
  static List<Value> in(String directory) {
    URL place = Objects.requireNonNull(CaseFiles.class.getResource(directory), directory);
    try (Stream<Path> files = Files.list(Path.of(place.toURI()))) {
      return files
          .filter(file -> file.toString().endsWith(".yaml"))
          .sorted()
          .map(CaseFiles::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Value read(Path file) {
    try (Reader reader = Files.newBufferedReader(file)) {
      return new Value(new Yaml(new SafeConstructor(new LoaderOptions())).<Object>load(reader));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
