package dev.sluice.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What the reference server's users rely on, by the numbers of the notes on it. Where it counts in
 * windows and we do not, or where we answer otherwise on purpose, it is our answer.
 */
final class ReferenceIT {

  @TestFactory
  Stream<DynamicTest> aCaseIsAnsweredAsItsTableSays() {
    return CaseFiles.in("/reference").stream()
        .flatMap(table -> table.get("cases").items().stream().map(it -> Case.read(it, table)))
        .map(it -> DynamicTest.dynamicTest("case " + it.displayName(), () -> CaseRunner.run(it)));
  }
}
