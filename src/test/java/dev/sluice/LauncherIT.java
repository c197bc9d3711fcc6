package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testing.ChildProcess;
import dev.sluice.testing.Gateway;
import dev.sluice.testing.SluiceProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** bin/sluice, called in the ways that people and images call it. */
final class LauncherIT {
  private static final String EPOLL = "libnetty_transport_native_epoll";

  @TempDir private Path scratch;

  @Test
  void launcherFindsItsHomeThroughLinksAndFromAnywhere() throws IOException {
    Path elsewhere = Files.createDirectory(scratch.resolve("else where"));
    Path absolute = Files.createSymbolicLink(scratch.resolve("absolute"), SluiceProcess.LAUNCHER);
    Path relative =
        Files.createSymbolicLink(
            elsewhere.resolve("relative"), elsewhere.relativize(absolute.toAbsolutePath()));
    for (Path launcher : List.of(SluiceProcess.LAUNCHER, absolute, relative)) {
      try (SluiceProcess sluice = serve(launcher, elsewhere, Map.of())) {
        assertThat(sluice.output()).contains("rules     " + SluiceProcess.PROJECT + "/config");
      }
    }
    Files.delete(relative);
    Files.delete(absolute);
  }

  @Test
  void argumentsArePassedOn() {
    String rules = SluiceProcess.PROJECT.resolve("config").toString();
    try (ChildProcess check =
        SluiceProcess.run(scratch, Map.of(), SluiceProcess.LAUNCHER.toString(), "check", rules)) {
      assertThat(check.exitCode()).isZero();
      assertThat(check.output()).contains("all rule files are good");
    }
  }

  @Test
  void javaOptionsAreSeveralWords() {
    try (SluiceProcess sluice =
        serve(
            SluiceProcess.LAUNCHER,
            scratch,
            Map.of("JAVA_OPTS", "-Xmx64m -XX:+UseSerialGC -showversion"))) {
      assertThat(sluice.errors()).contains("version \"" + System.getProperty("java.version"));
    }
  }

  @Test
  void imageNeedsNoWritableDirectoryForEpoll() throws IOException {
    Path ratelimit = image();
    Path rules = scratch.resolve("data/ratelimit/config");
    Gateway.copyRules(rules);
    Map<String, String> environment =
        Map.of(
            "RUNTIME_ROOT",
            scratch.resolve("data/ratelimit").toString(),
            "JAVA_OPTS",
            "-Djava.io.tmpdir=" + scratch.resolve("missing"));
    try (SluiceProcess sluice = serve(ratelimit, scratch, environment)) {
      assertThat(sluice.output()).contains("rules     " + rules);
      assertThat(Files.readAllLines(Path.of("/proc/" + sluice.pid() + "/maps")))
          .filteredOn(line -> line.contains(EPOLL))
          .isNotEmpty()
          .allMatch(line -> line.contains("/opt/sluice/native/" + EPOLL));
    }
  }

  @Test
  void trainedImageStartsFromItsArchive() throws IOException {
    Path ratelimit = image();
    try (ChildProcess train = SluiceProcess.run(scratch, Map.of(), ratelimit.toString(), "train")) {
      assertThat(train.exitCode(Duration.ofMinutes(2))).as(train.errors()).isZero();
    }
    Path rules = scratch.resolve("rules");
    Gateway.copyRules(rules);
    try (SluiceProcess sluice =
        SluiceProcess.started(
            SluiceProcess.run(
                scratch, Map.of(), ratelimit.toString(), "serve", rules.toString()))) {
      assertThat(Files.readString(Path.of("/proc/" + sluice.pid() + "/maps")))
          .containsPattern("/opt/sluice/sluice-[0-9.]+\\.(jsa|aot)");
    }
  }

  @Test
  void archiveThatDoesNotFitIsPassedOver() throws IOException {
    Path ratelimit = image();
    Path home = scratch.resolve("opt/sluice");
    String version = System.getProperty("java.version");
    String ending = Runtime.version().feature() >= 25 ? ".aot" : ".jsa";
    Files.writeString(home.resolve("sluice-" + version + ending), "not an archive");
    String rules = SluiceProcess.PROJECT.resolve("config").toString();
    try (ChildProcess check =
        SluiceProcess.run(scratch, Map.of(), ratelimit.toString(), "check", rules)) {
      assertThat(check.exitCode()).isZero();
      assertThat(check.errors()).isEmpty();
      assertThat(check.output()).startsWith("domain api");
    }
  }

  @Test
  void optionsOfJavaAreFitForSmallContainersAndCanAllBeReplaced() {
    String options = "-XX:+UseSerialGC -Xmx78m -XX:MaxDirectMemorySize=11m -XX:+PrintFlagsFinal";
    String standard = flags("serve", "-XX:+PrintFlagsFinal");
    assertThat(standard).containsPattern("bool UseG1GC += true");
    assertThat(standard).containsPattern("size_t MaxHeapSize += [1-9][0-9]{7,}");
    String replaced = flags("serve", options);
    assertThat(replaced).containsPattern("bool UseSerialGC += true");
    assertThat(replaced).containsPattern("size_t MaxHeapSize += " + (78L << 20));
    assertThat(replaced).containsPattern("MaxDirectMemorySize += " + (11L << 20));
    assertThat(flags("serve", "-XX:MaxRAMPercentage=1 -XX:+PrintFlagsFinal"))
        .containsPattern("double MaxRAMPercentage += 1[.]0");
  }

  @Test
  void whatEndsSoonIsCompiledQuicklyUnlessOptionsSayOtherwise() {
    assertThat(flags("check", "-XX:+PrintFlagsFinal"))
        .containsPattern("bool UseSerialGC += true")
        .containsPattern("intx TieredStopAtLevel += 1 ");
    assertThat(flags("explain", "-XX:+UseParallelGC -XX:TieredStopAtLevel=4 -XX:+PrintFlagsFinal"))
        .containsPattern("bool UseParallelGC += true")
        .containsPattern("intx TieredStopAtLevel += 4 ");
  }

  private String flags(String command, String options) {
    Map<String, String> environment = Map.of("JAVA_OPTS", options);
    try (ChildProcess help =
        SluiceProcess.run(
            scratch, environment, SluiceProcess.LAUNCHER.toString(), command, "--help")) {
      assertThat(help.exitCode()).as(help.errors()).isZero();
      return help.output();
    }
  }

  /** The environment is that of Istio's sample, but for where /data is and for the ports. */
  @Test
  void istiosSampleRunsAsItIs() throws IOException {
    Path ratelimit = image();
    Path mount = Files.createDirectories(scratch.resolve("data/ratelimit/config"));
    Files.createSymbolicLink(mount.resolve("config.yaml"), Path.of("..data/config.yaml"));
    publish(mount, "first", 1);
    Map<String, String> environment = new HashMap<>();
    environment.put("LOG_LEVEL", "debug");
    environment.put("REDIS_SOCKET_TYPE", "tcp");
    environment.put("REDIS_URL", "localhost:1");
    environment.put("USE_STATSD", "false");
    environment.put("RUNTIME_ROOT", scratch.resolve("data").toString());
    environment.put("RUNTIME_SUBDIRECTORY", "ratelimit");
    environment.put("RUNTIME_WATCH_ROOT", "false");
    environment.put("RUNTIME_IGNOREDOTFILES", "true");
    environment.put("HOST", "::");
    environment.put("GRPC_HOST", "::");
    try (SluiceProcess sluice = serve(ratelimit, scratch, environment)) {
      assertThat(IntStream.range(0, 2).map(i -> ask(sluice, "/productpage")))
          .containsExactly(200, 429);
      publish(mount, "second", 3);
      Awaitility.await()
          .atMost(Duration.ofSeconds(2))
          .until(() -> sluice.errors().lines().filter(it -> it.contains("in force")).count() == 2);
      assertThat(IntStream.range(0, 3).map(i -> ask(sluice, "/productpage")))
          .containsExactly(200, 200, 429);
    }
  }

  /** A directory as the Dockerfile makes it; the result is what hosts call as /bin/ratelimit. */
  private Path image() throws IOException {
    Path home = scratch.resolve("opt/sluice");
    String install = SluiceProcess.PROJECT.resolve("deploy/image/install").toString();
    try (ChildProcess process = SluiceProcess.run(scratch, Map.of(), install, home.toString())) {
      assertThat(process.exitCode()).as(process.errors()).isZero();
    }
    Path bin = Files.createDirectories(scratch.resolve("bin"));
    return Files.createSymbolicLink(bin.resolve("ratelimit"), home.resolve("bin/sluice"));
  }

  /** Changes a ConfigMap's directory as the kubelet does: by turning one link. */
  private static void publish(Path mount, String version, int requests) throws IOException {
    String rules =
        """
        domain: ratelimit
        descriptors:
          - key: PATH
            value: "/productpage"
            rate_limit:
              unit: minute
              requests_per_unit: %d
          - key: PATH
            rate_limit:
              unit: minute
              requests_per_unit: 100
        """
            .formatted(requests);
    Path directory = Files.createDirectory(mount.resolve(".." + version));
    Files.writeString(directory.resolve("config.yaml"), rules);
    Path link = Files.createSymbolicLink(mount.resolve("..tmp"), directory.getFileName());
    Files.move(
        link,
        mount.resolve("..data"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static int ask(SluiceProcess sluice, String path) {
    String body =
        String.format(
            "{\"domain\":\"ratelimit\",\"descriptors\":[{\"entries\":"
                + "[{\"key\":\"PATH\",\"value\":\"%s\"}]}]}",
            path);
    URI uri = URI.create("http://127.0.0.1:" + sluice.httpPort() + "/json");
    HttpRequest request = HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body)).build();
    return HttpClient.newHttpClient()
        .sendAsync(request, BodyHandlers.discarding())
        .join()
        .statusCode();
  }

  /** Without arguments. */
  private static SluiceProcess serve(
      Path launcher, Path directory, Map<String, String> environment) {
    return SluiceProcess.started(SluiceProcess.run(directory, environment, launcher.toString()));
  }
}
