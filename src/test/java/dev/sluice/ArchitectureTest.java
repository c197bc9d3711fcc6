package dev.sluice;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rooms of the house, and what each may know. RATIONALE.md says why. */
class ArchitectureTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.sluice");

  private static final List<String> CLOCKS =
      List.of("java.time.InstantSource", "java.time.Clock", "java.util.Date", "java.util.Calendar");

  /** What every room may use: the language, its annotations, and a logger. */
  private static final List<String> EVERYWHERE =
      List.of("java..", "org.jspecify..", "com.google.errorprone.annotations..", "org.slf4j..");

  /** Each room, and the rooms and libraries beyond that which it may know. */
  private static final Map<String, List<String>> ROOMS =
      Map.ofEntries(
          room("settings"),
          room("limit"),
          room("rule", "bucket", "limit", "javax.crypto"),
          room("bucket", "limit", "com.github.benmanes.caffeine"),
          room("concurrency", "com.netflix.concurrency.limits"),
          room("guard", "bucket", "limit", "concurrency", "com.github.benmanes.caffeine"),
          room("local", "bucket", "limit", "com.github.benmanes.caffeine"),
          room("decision", "bucket", "rule", "limit"),
          room("rulefile", "rule", "bucket", "limit", "org.yaml", "org.apache.commons.text"),
          room("transport", "io.netty"),
          room("load", "transport", "io.netty"),
          room("redis", "bucket", "limit", "transport", "io.lettuce", "io.netty", "reactor."),
          room(
              "envoy",
              "concurrency",
              "decision",
              "bucket",
              "rule",
              "limit",
              "proto",
              "transport",
              "tls",
              "io.grpc",
              "com.google.protobuf",
              "com.google.gson"),
          room("tls", "io.grpc", "javax.net.ssl"),
          room("statsd", "transport", "io.netty"),
          room(
              "xds",
              "rulefile",
              "proto",
              "transport",
              "io.grpc",
              "com.google.protobuf",
              "com.google.rpc"),
          room(
              "tracing",
              "decision",
              "bucket",
              "limit",
              "io.grpc",
              "io.netty.handler.ssl",
              "io.opentelemetry"),
          room("log", "ch.qos.logback"),
          room("admin", "com.sun.net.httpserver"),
          room(
              "telemetry",
              "decision",
              "bucket",
              "rule",
              "rulefile",
              "limit",
              "guard",
              "concurrency",
              "local",
              "redis",
              "envoy",
              "xds",
              "statsd",
              "io.prometheus"),
          room(
              "bench",
              "load",
              "envoy",
              "transport",
              "proto",
              "com.google.gson",
              "io.grpc",
              "io.netty",
              "io.lettuce",
              "com.sun.management",
              "javax.management",
              "org.HdrHistogram"),
          room(
              "cli",
              "bench",
              "load",
              "rule",
              "rulefile",
              "bucket",
              "limit",
              "proto",
              "io.grpc",
              "com.google.protobuf",
              "picocli."));

  static Stream<String> names() {
    return ROOMS.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("names")
  void aRoomKnowsOnlyWhatTheTableSays(String room) {
    rule(room).check(MAIN);
  }

  @Test
  void everyPackageIsARoomOfTheTable() {
    List<String> packages =
        MAIN.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> !name.equals("dev.sluice") && !name.startsWith("dev.sluice.proto"))
            .distinct()
            .toList();
    assertThat(packages)
        .containsExactlyInAnyOrderElementsOf(names().map(room -> "dev.sluice." + room).toList());
  }

  @Test
  void nobodyKnowsTheRoot() {
    noClasses()
        .that()
        .resideInAPackage("dev.sluice.*..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.sluice")
        .check(MAIN);
  }

  @Test
  void theCoreDoesNotLog() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.sluice.limit", "dev.sluice.rule", "dev.sluice.bucket", "dev.sluice.decision")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.slf4j..")
        .check(MAIN);
  }

  /**
   * Buckets in Redis go by its clock, so servers whose clocks differ agree. What is named here
   * makes and uses the buckets of a time without Redis, or says when something happened.
   */
  @Test
  void onlyTheseKnowTheTimeOfDay() {
    assertThat(MAIN.stream().filter(ArchitectureTest::knowsTheTimeOfDay))
        .extracting(it -> it.getName().replaceAll("^dev[.]sluice[.]|[$].*", ""))
        .containsOnly(
            "Application",
            "Rehearsal",
            "Stores",
            "WithoutRedis",
            "bucket.InMemoryBucketStore",
            "guard.LocalShares",
            "telemetry.LocalCacheSeries",
            "telemetry.RuleTelemetry");
  }

  private static boolean knowsTheTimeOfDay(JavaClass it) {
    return it.getDirectDependenciesFromSelf().stream()
            .anyMatch(to -> CLOCKS.contains(to.getTargetClass().getName()))
        || it.getMethodCallsFromSelf().stream()
            .map(call -> call.getTarget())
            .anyMatch(
                to ->
                    to.getName().equals("currentTimeMillis")
                        || (to.getName().equals("now")
                            && to.getOwner().getPackageName().equals("java.time")));
  }

  @Test
  void classesAreFinalUnlessTheyAreMadeToBeExtended() {
    classes()
        .that()
        .resideOutsideOfPackage("dev.sluice.proto..")
        .and()
        .areNotInterfaces()
        .and()
        .areNotAnonymousClasses()
        .should()
        .haveModifier(JavaModifier.FINAL)
        .orShould()
        .haveModifier(JavaModifier.ABSTRACT)
        .check(MAIN);
  }

  static Stream<Arguments> doors() {
    return names().flatMap(room -> known(room).stream().map(known -> Arguments.of(room, known)));
  }

  /** Shows each wall at work, and that no door of the table is there for nothing. */
  @ParameterizedTest
  @MethodSource("doors")
  void whereADoorIsWalledUpTheRuleSeesWhoGoesThrough(String room, String door) {
    List<String> others = known(room).stream().filter(it -> !it.equals(door)).toList();
    assertThat(onlyKnowing("dev.sluice." + room, others).evaluate(MAIN).hasViolation()).isTrue();
  }

  private static ArchRule rule(String room) {
    return onlyKnowing("dev.sluice." + room, known(room));
  }

  private static List<String> known(String room) {
    return ROOMS.getOrDefault(room, List.of());
  }

  private static ArchRule onlyKnowing(String place, List<String> known) {
    String[] allowed =
        Stream.of(EVERYWHERE, known, List.of(place)).flatMap(List::stream).toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage(place)
        .should()
        .onlyDependOnClassesThat(JavaClass.Predicates.resideInAnyPackage(allowed));
  }

  private static Map.Entry<String, List<String>> room(String name, String... known) {
    return Map.entry(
        name,
        Stream.of(known)
            .map(
                it ->
                    it.contains(".") ? it.replaceAll("[.]$", "") + ".." : "dev.sluice." + it + "..")
            .toList());
  }
}
