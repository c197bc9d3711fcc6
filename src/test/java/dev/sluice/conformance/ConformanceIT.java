package dev.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every conformance case is run, or said not to be. */
final class ConformanceIT {
  private static final List<Value> FILES = CaseFiles.in("/conformance");

  @TestFactory
  Stream<DynamicTest> aCaseIsAnsweredAsItsFileSays() {
    return FILES.stream()
        .filter(file -> !NotRun.REASONS.containsKey(id(file)))
        .map(file -> DynamicTest.dynamicTest(id(file) + ": " + file.get("title"), () -> run(file)));
  }

  @Test
  void aCaseThatIsSaidNotToBeRunHasAFile() {
    Set<String> ids = FILES.stream().map(ConformanceIT::id).collect(Collectors.toSet());
    Set<String> stale = new TreeSet<>(NotRun.REASONS.keySet());
    stale.removeAll(ids);

    assertThat(ids).hasSameSizeAs(FILES);
    assertThat(stale).isEmpty();
  }

  private static void run(Value file) {
    CaseRunner.run(Case.read(file, new Value(null)));
  }

  private static String id(Value file) {
    return file.get("id").text();
  }
}
