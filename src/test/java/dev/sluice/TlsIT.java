package dev.sluice;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.proto.service.RateLimitServiceGrpc;
import dev.sluice.testing.Certificates;
import dev.sluice.testing.Certificates.Pair;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.RecordedLog;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS on the gRPC port: who is let in, who is not, and what becomes of files that change. */
final class TlsIT {
  private static final Map<String, String> RULES =
      Map.of(
          "d.yaml",
          "domain: d\ndescriptors: [{key: k, rate_limit: {unit: day, requests_per_unit: 99}}]\n");
  private static final Duration SOON = Duration.ofSeconds(5);

  @TempDir private static Path made;

  private static Path authority = Path.of("");
  private static Path otherAuthority = Path.of("");
  private static Pair server = new Pair(authority, authority);
  private static Pair laterServer = server;
  private static Pair envoy = server;
  private static Pair stranger = server;
  private static Pair impostor = server;

  @TempDir private Path mounted;
  private Pair files = server;
  private Path clientAuthority = authority;

  @BeforeAll
  static void makeCertificates() {
    Certificates certificates = new Certificates(made);
    authority = certificates.authority("authority");
    otherAuthority = certificates.authority("other-authority");
    server = certificates.issue("server", "authority", "localhost");
    laterServer = certificates.issue("later-server", "other-authority", "localhost");
    envoy = certificates.issue("envoy", "authority", "envoy.example.com");
    stranger = certificates.issue("stranger", "authority", "stranger.example.com");
    impostor = certificates.issue("impostor", "other-authority", "envoy.example.com");
  }

  @BeforeEach
  void mount() throws IOException {
    files = new Pair(mounted.resolve("tls.crt"), mounted.resolve("tls.key"));
    clientAuthority = mounted.resolve("ca.crt");
    replace(server);
    copy(authority, clientAuthority);
  }

  @Test
  void callsAreAnsweredThroughTlsAndNotWithoutIt() {
    try (InProcessServer sluice = start(Map.of())) {
      assertThat(call(sluice, trusting(authority))).isEqualTo(Status.Code.OK);
      assertThat(call(sluice, trusting(otherAuthority))).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(call(sluice, InsecureChannelCredentials.create()))
          .isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  @Test
  void newConnectionsSeeTheNewCertificateAndOldOnesLiveOn() throws IOException {
    try (InProcessServer sluice = start(Map.of())) {
      ManagedChannel old = channel(sluice, trusting(authority));
      assertThat(call(old)).isEqualTo(Status.Code.OK);

      replace(laterServer);

      await().atMost(SOON).until(() -> call(sluice, trusting(otherAuthority)) == Status.Code.OK);
      assertThat(call(sluice, trusting(authority))).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(call(old)).isEqualTo(Status.Code.OK);
      old.shutdownNow();
    }
  }

  @Test
  void aPairThatDoesNotFitIsNotTakenAndSaidOnce() throws IOException {
    try (InProcessServer sluice = start(Map.of());
        RecordedLog log = RecordedLog.of("dev.sluice.tls.FileWatch")) {
      copy(laterServer.key(), files.key());

      String reason =
          String.format(
              "GRPC_SERVER_TLS_KEY is '%s': its key is not that of the certificate in '%s'",
              files.key(), files.certificate());
      await().atMost(SOON).until(() -> log.contains(reason));
      assertThat(call(sluice, trusting(authority))).isEqualTo(Status.Code.OK);

      Files.delete(files.key());
      await().atMost(SOON).until(() -> log.contains("there is no such file"));
      assertThat(call(sluice, trusting(authority))).isEqualTo(Status.Code.OK);

      replace(laterServer);
      await().atMost(SOON).until(() -> call(sluice, trusting(otherAuthority)) == Status.Code.OK);
      assertThat(log.count(reason)).isEqualTo(1);
    }
  }

  @Test
  void clientsNeedACertificateOfTheAuthority() {
    try (InProcessServer sluice =
        start(Map.of("GRPC_CLIENT_TLS_CACERT", clientAuthority.toString()))) {
      assertThat(call(sluice, trusting(authority, envoy))).isEqualTo(Status.Code.OK);
      assertThat(call(sluice, trusting(authority, stranger))).isEqualTo(Status.Code.OK);
      assertThat(call(sluice, trusting(authority))).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(call(sluice, trusting(authority, impostor))).isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  @Test
  void clientsNeedTheNameThatIsSet() {
    Map<String, String> settings =
        Map.of(
            "GRPC_CLIENT_TLS_CACERT",
            clientAuthority.toString(),
            "GRPC_CLIENT_TLS_SAN",
            "Envoy.example.com");
    try (InProcessServer sluice = start(settings)) {
      assertThat(call(sluice, trusting(authority, envoy))).isEqualTo(Status.Code.OK);
      assertThat(call(sluice, trusting(authority, stranger))).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(call(sluice, trusting(authority, impostor))).isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  @Test
  void anotherAuthorityForClientsIsTakenWithoutARestart() throws IOException {
    try (InProcessServer sluice =
        start(Map.of("GRPC_CLIENT_TLS_CACERT", clientAuthority.toString()))) {
      assertThat(call(sluice, trusting(authority, impostor))).isEqualTo(Status.Code.UNAVAILABLE);

      copy(otherAuthority, clientAuthority);

      await()
          .atMost(SOON)
          .until(() -> call(sluice, trusting(authority, impostor)) == Status.Code.OK);
      assertThat(call(sluice, trusting(authority, envoy))).isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GRPC_SERVER_TLS_CERT, '', GRPC_SERVER_TLS_CERT is not set",
    "GRPC_SERVER_TLS_KEY, '', GRPC_SERVER_TLS_KEY is not set",
    "GRPC_SERVER_TLS_CERT, /nowhere/tls.crt, GRPC_SERVER_TLS_CERT is '/nowhere/tls.crt': there is no such file",
    "GRPC_SERVER_TLS_KEY, /, GRPC_SERVER_TLS_KEY is '/': it cannot be read",
    "GRPC_SERVER_TLS_CERT, README.md, GRPC_SERVER_TLS_CERT is 'README.md': it has",
    "GRPC_SERVER_TLS_KEY, README.md, GRPC_SERVER_TLS_KEY is 'README.md': it has no private key",
    "GRPC_CLIENT_TLS_CACERT, README.md, GRPC_CLIENT_TLS_CACERT is 'README.md': it has",
    "GRPC_CLIENT_TLS_SAN, envoy, GRPC_CLIENT_TLS_SAN is 'envoy' (expected GRPC_CLIENT_TLS_CACERT as well"
  })
  void aFileThatCannotBeUsedEndsTheStartAndIsNamed(String setting, String value, String message) {
    assertThatThrownBy(() -> start(Map.of(setting, value))).hasMessageStartingWith(message);
  }

  @Test
  void clientsThatAreToBeCheckedWithoutTlsEndTheStart() {
    Map<String, String> settings =
        Map.of(
            "GRPC_SERVER_USE_TLS", "false", "GRPC_CLIENT_TLS_CACERT", clientAuthority.toString());

    assertThatThrownBy(() -> start(settings))
        .hasMessageContaining("GRPC_CLIENT_TLS_CACERT")
        .hasMessageContaining("GRPC_SERVER_USE_TLS=true");
  }

  private InProcessServer start(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("GRPC_SERVER_USE_TLS", "true");
    all.put("GRPC_SERVER_TLS_CERT", files.certificate().toString());
    all.put("GRPC_SERVER_TLS_KEY", files.key().toString());
    all.putAll(settings);
    return InProcessServer.of(RULES, all);
  }

  private void replace(Pair pair) throws IOException {
    copy(pair.certificate(), files.certificate());
    copy(pair.key(), files.key());
  }

  private static void copy(Path from, Path to) throws IOException {
    Path written = to.resolveSibling("written");
    Files.copy(from, written, StandardCopyOption.REPLACE_EXISTING);
    Files.move(written, to, StandardCopyOption.ATOMIC_MOVE);
  }

  private static ChannelCredentials trusting(Path authority) {
    try {
      return TlsChannelCredentials.newBuilder().trustManager(authority.toFile()).build();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static ChannelCredentials trusting(Path authority, Pair own) {
    try {
      return TlsChannelCredentials.newBuilder()
          .trustManager(authority.toFile())
          .keyManager(own.certificate().toFile(), own.key().toFile())
          .build();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static ManagedChannel channel(InProcessServer sluice, ChannelCredentials credentials) {
    return Grpc.newChannelBuilderForAddress("localhost", sluice.grpcPort(), credentials).build();
  }

  private static Status.Code call(InProcessServer sluice, ChannelCredentials credentials) {
    ManagedChannel channel = channel(sluice, credentials);
    try {
      return call(channel);
    } finally {
      channel.shutdownNow();
    }
  }

  private static Status.Code call(ManagedChannel channel) {
    try {
      requireNonNull(
          RateLimitServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(10, TimeUnit.SECONDS)
              .shouldRateLimit(RateLimitClient.request("d", "k", "v")));
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }
}
