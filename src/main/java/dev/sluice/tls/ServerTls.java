package dev.sluice.tls;

import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.grpc.util.AdvancedTlsX509TrustManager.Verification;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * TLS for a server, from files. When they change, connections made from then on use what is new;
 * files that cannot be used are said to the log and change nothing.
 */
public final class ServerTls implements AutoCloseable {
  private static final long MILLIS_BETWEEN_LOOKS = 500;

  /**
   * Which clients may come.
   *
   * @param authority the certificates of which one has to vouch for theirs
   * @param name the DNS name that theirs has to carry, if one
   */
  public record Clients(PemFile authority, Optional<String> name) {}

  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(ServerTls::thread);
  private final ServerCredentials credentials;

  /**
   * TLS with the certificate and the key in these files.
   *
   * @param clients who may come; everybody if empty
   * @throws TlsException if a file cannot be used
   */
  public ServerTls(PemFile certificate, PemFile key, Optional<Clients> clients) {
    List<FileWatch> watches = new ArrayList<>();
    AdvancedTlsX509KeyManager identity = new AdvancedTlsX509KeyManager();
    watches.add(
        new FileWatch(
            List.of(certificate, key),
            texts -> use(identity, Identity.of(certificate, texts.get(0), key, texts.get(1)))));
    TlsServerCredentials.Builder builder = TlsServerCredentials.newBuilder().keyManager(identity);
    clients.ifPresent(
        it -> {
          AdvancedTlsX509TrustManager trust = trust(it);
          watches.add(
              new FileWatch(
                  List.of(it.authority()), texts -> use(trust, it.authority(), texts.get(0))));
          builder.trustManager(trust).clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
        });
    credentials = builder.build();
    var unused =
        looks.scheduleWithFixedDelay(
            () -> watches.forEach(FileWatch::again),
            MILLIS_BETWEEN_LOOKS,
            MILLIS_BETWEEN_LOOKS,
            TimeUnit.MILLISECONDS);
  }

  /** What a gRPC server is given. */
  public ServerCredentials credentials() {
    return credentials;
  }

  private static void use(AdvancedTlsX509KeyManager manager, Identity identity) {
    manager.updateIdentityCredentials(
        identity.chain().toArray(X509Certificate[]::new), identity.key());
  }

  private static void use(AdvancedTlsX509TrustManager manager, PemFile file, String text) {
    try {
      manager.updateTrustCredentials(file.certificates(text).toArray(X509Certificate[]::new));
    } catch (IOException | GeneralSecurityException e) {
      throw file.bad("it cannot be trusted: " + e.getMessage());
    }
  }

  private static AdvancedTlsX509TrustManager trust(Clients clients) {
    AdvancedTlsX509TrustManager.Builder builder =
        AdvancedTlsX509TrustManager.newBuilder()
            .setVerification(Verification.CERTIFICATE_ONLY_VERIFICATION);
    clients
        .name()
        .ifPresent(name -> builder.setSslSocketAndEnginePeerVerifier(new RequiredName(name)));
    try {
      return builder.build();
    } catch (CertificateException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "sluice-tls");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void close() {
    looks.shutdownNow();
  }
}
