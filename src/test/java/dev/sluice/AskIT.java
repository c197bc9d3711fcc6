package dev.sluice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Sluice;
import dev.sluice.testing.Certificates;
import dev.sluice.testing.Certificates.Pair;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code sluice ask}, against a server. */
final class AskIT {
  private static final Map<String, String> RULES =
      Map.of(
          "d.yaml",
          """
          domain: d
          descriptors:
            - {key: k, rate_limit: {unit: day, requests_per_unit: 3}}
            - {key: many, rate_limit: {unit: day, requests_per_unit: 100}}
            - {key: odd, value: "a=b,c\\\\", rate_limit: {unit: hour, requests_per_unit: 5}}
            - {key: free, rate_limit: {unlimited: true}}
          """);
  private static @Nullable InProcessServer server;

  private record Outcome(int code, List<String> out, List<String> err) {}

  @BeforeAll
  static void start() {
    server = InProcessServer.of(RULES);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void anAnswerIsALine() {
    Outcome outcome = ask("--domain", "d", "--descriptor", "k=line", "--descriptor", "no=rule");

    assertThat(outcome.out)
        .containsExactly("OK: OK limit 3/day remaining 2 reset 28800s; OK no limit");
    assertThat(outcome.err).isEmpty();
    assertThat(outcome.code).isZero();
  }

  @Test
  void severalAnswersHaveASummaryAndOneThatIsOverIsExitCode1() {
    Outcome outcome = ask("--domain=d", "--descriptor=k=some", "--times=5");

    assertThat(outcome.code).isEqualTo(1);
    assertThat(outcome.out).hasSize(7);
    assertThat(outcome.out.get(4)).startsWith("OVER_LIMIT: OVER_LIMIT limit 3/day remaining 0");
    assertThat(outcome.out.get(5)).isEqualTo("5 calls: 3 OK, 2 OVER_LIMIT, 0 failed");
    assertThat(outcome.out.get(6))
        .matches("latency: p50 [\\d.]+ ms, p99 [\\d.]+ ms, max [\\d.]+ ms");
  }

  @Test
  void callsInParallelAreAllMade() {
    Outcome outcome =
        ask("--domain", "d", "--descriptor", "many=x", "--times", "150", "--parallel", "8");

    assertThat(outcome.code).isEqualTo(1);
    assertThat(outcome.out).contains("150 calls: 100 OK, 50 OVER_LIMIT, 0 failed");
  }

  @Test
  void hitsAreSent() {
    Outcome outcome = ask("--domain", "d", "--descriptor", "k=hits", "--hits", "3");

    assertThat(outcome.out).singleElement().asString().contains("limit 3/day remaining 0");
  }

  @Test
  void valuesMayHaveEqualsSignsCommasAndBackslashes() {
    Outcome outcome = ask("--domain", "d", "--descriptor", "odd=a=b\\,c\\\\");

    assertThat(outcome.out).singleElement().asString().contains("limit 5/hour remaining 4");
  }

  @Test
  void theReferenceClientsFlagsAreUnderstood() {
    String address = "localhost:" + port();

    Outcome outcome =
        run(
            "-dial_string",
            address,
            "-domain",
            "d",
            "-descriptors",
            "k=flags",
            "-grpc-use-tls=false");

    assertThat(outcome.code).isZero();
    assertThat(outcome.out).singleElement().asString().startsWith("OK: OK limit 3/day");
  }

  @Test
  void aServerThatIsNotThereIsExitCode3() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Outcome outcome =
        run("127.0.0.1:" + port, "--domain", "d", "--descriptor", "k=v", "--times", "2");

    assertThat(outcome.code).isEqualTo(3);
    assertThat(outcome.err).hasSize(2).allMatch(line -> line.startsWith("ERROR: UNAVAILABLE "));
    assertThat(outcome.out).containsExactly("2 calls: 0 OK, 0 OVER_LIMIT, 2 failed");
  }

  @Test
  void aRequestThatIsRefusedIsExitCode3() {
    Outcome outcome = ask("--domain", "", "--descriptor", "k=v");

    assertThat(outcome.code).isEqualTo(3);
    assertThat(outcome.err)
        .singleElement()
        .asString()
        .startsWith("ERROR: INVALID_ARGUMENT domain is empty");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--domain d",
        "--descriptor k=v",
        "--domain d --descriptor kv",
        "--domain d --descriptor =v",
        "--domain d --descriptor k=v,",
        "--domain d --descriptor k=v --times 0",
        "--domain d --descriptor k=v --parallel 0",
        "--domain d --descriptor k=v --hits -1",
        "--domain d --descriptor k=v --hits 4294967296",
        "--domain d --descriptor k=v --cert some.crt",
        "--domain d --descriptor k=v --ca nowhere.crt",
        "--domain d --descriptor k=v -dial_string other:1",
        "--domain d --descriptor k=v --nonsense"
      })
  void aWrongCallIsExitCode2AndSaidWithoutACall(String arguments) {
    Outcome outcome = ask(arguments.split(" "));

    assertThat(outcome.code).isEqualTo(2);
    assertThat(outcome.out).isEmpty();
    assertThat(outcome.err).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "localhost:http", ":8081", "::1:8081", "localhost:99999"})
  void anAddressThatIsNoneIsExitCode2(String address) {
    Outcome outcome = run(address, "--domain", "d", "--descriptor", "k=v");

    assertThat(outcome.code).isEqualTo(2);
    assertThat(outcome.err)
        .first()
        .isEqualTo("HOST:PORT is '" + address + "' (expected such as localhost:8081)");
  }

  @Test
  void helpSaysTheExitCodes() {
    Outcome outcome = run("--help");

    assertThat(outcome.code).isZero();
    assertThat(outcome.out)
        .anyMatch(line -> line.matches(" +1 +some were OVER_LIMIT"))
        .anyMatch(line -> line.matches(" +3 +a call failed"));
  }

  @Test
  void aServerWithTlsIsAskedWithACertificate(@TempDir Path home) {
    Certificates certificates = new Certificates(home);
    String authority = certificates.authority("authority").toString();
    Pair own = certificates.issue("server", "authority", "localhost");
    Pair client = certificates.issue("client", "authority", "client.example.com");
    Map<String, String> settings =
        Map.of(
            "GRPC_SERVER_USE_TLS",
            "true",
            "GRPC_SERVER_TLS_CERT",
            own.certificate().toString(),
            "GRPC_SERVER_TLS_KEY",
            own.key().toString(),
            "GRPC_CLIENT_TLS_CACERT",
            authority);
    try (InProcessServer sluice = InProcessServer.of(RULES, settings)) {
      List<String> bare =
          List.of("localhost:" + sluice.grpcPort(), "--domain=d", "--descriptor=k=v", "--tls");
      List<String> full = new ArrayList<>(bare);
      full.addAll(List.of("--ca", authority, "--cert", client.certificate().toString()));
      full.addAll(List.of("--key", client.key().toString()));

      assertThat(run(full.toArray(String[]::new)).code).isZero();
      assertThat(run(bare.toArray(String[]::new)).code).isEqualTo(3);
    }
  }

  @Test
  void aSocketFileIsAskedToo(@TempDir Path home) {
    String socket = home.resolve("sluice.sock").toString();
    Map<String, String> settings =
        Map.of("PORT", "0", "PROMETHEUS_ADDR", "127.0.0.1:0", "GRPC_UDS", socket);
    try (Application application =
        Application.start(
            dev.sluice.settings.Settings.of(settings), java.util.Optional.of(Path.of("config")))) {
      assertThat(application.rules()).isPresent();

      assertThat(run("unix:" + socket, "--domain=login", "--descriptor=account=ida").code).isZero();
    }
  }

  private static int port() {
    return java.util.Objects.requireNonNull(server).grpcPort();
  }

  private static Outcome ask(String... arguments) {
    List<String> all = new ArrayList<>(List.of("localhost:" + port()));
    all.addAll(List.of(arguments));
    return run(all.toArray(String[]::new));
  }

  private static Outcome run(String... arguments) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    ByteArrayOutputStream complained = new ByteArrayOutputStream();
    List<String> all = new ArrayList<>(List.of("ask"));
    all.addAll(List.of(arguments));
    try {
      System.setOut(new PrintStream(said, true, UTF_8));
      System.setErr(new PrintStream(complained, true, UTF_8));
      int code = Sluice.run((directory, untilWarm) -> {}, all.toArray(String[]::new));
      return new Outcome(
          code, said.toString(UTF_8).lines().toList(), complained.toString(UTF_8).lines().toList());
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }
}
