package dev.sluice.tls;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.grpc.util.AdvancedTlsX509TrustManager.Verification;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Optional;

/**
 * TLS for a client, from files. They are read again for each connection, so new ones need no
 * restart.
 *
 * @param authority the certificates of which one has to vouch for the server's; those that Java
 *     trusts if empty
 * @param identity who the client is, if it says so
 */
public record ClientTls(Optional<PemFile> authority, Optional<Pair> identity) {
  /** The files of a certificate and its key. */
  public record Pair(PemFile certificate, PemFile key) {}

  /**
   * What a gRPC channel is given. The server's certificate has to carry the name it is called by.
   *
   * @throws TlsException if a file cannot be used
   */
  public ChannelCredentials credentials() {
    TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder();
    authority.ifPresent(file -> builder.trustManager(trust(file)));
    identity.ifPresent(pair -> builder.keyManager(keys(pair)));
    return builder.build();
  }

  private static AdvancedTlsX509KeyManager keys(Pair pair) {
    Identity identity =
        Identity.of(pair.certificate, pair.certificate.read(), pair.key, pair.key.read());
    AdvancedTlsX509KeyManager manager = new AdvancedTlsX509KeyManager();
    manager.updateIdentityCredentials(
        identity.chain().toArray(X509Certificate[]::new), identity.key());
    return manager;
  }

  private static AdvancedTlsX509TrustManager trust(PemFile file) {
    try {
      AdvancedTlsX509TrustManager manager =
          AdvancedTlsX509TrustManager.newBuilder()
              .setVerification(Verification.CERTIFICATE_AND_HOST_NAME_VERIFICATION)
              .build();
      manager.updateTrustCredentials(
          file.certificates(file.read()).toArray(X509Certificate[]::new));
      return manager;
    } catch (IOException | GeneralSecurityException e) {
      throw file.bad("it cannot be trusted: " + e.getMessage());
    }
  }
}
