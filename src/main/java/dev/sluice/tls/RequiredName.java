package dev.sluice.tls;

import io.grpc.util.AdvancedTlsX509TrustManager.SslSocketAndEnginePeerVerifier;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javax.net.ssl.SSLEngine;

/**
 * Lets those pass whose certificate carries one DNS name among its alternative names. As in a
 * server's certificate, a first label of * stands for any one label. Source: RFC 6125, 6.4.
 */
final class RequiredName implements SslSocketAndEnginePeerVerifier {
  private static final int DNS = 2;

  private final String name;

  RequiredName(String name) {
    this.name = name.toLowerCase(Locale.ROOT);
  }

  @Override
  public void verifyPeerCertificate(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    verify(chain[0]);
  }

  @Override
  public void verifyPeerCertificate(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    verify(chain[0]);
  }

  private void verify(X509Certificate certificate) throws CertificateException {
    Collection<List<?>> names =
        Objects.requireNonNullElse(certificate.getSubjectAlternativeNames(), List.of());
    boolean carries =
        names.stream()
            .filter(it -> Objects.equals(it.get(0), DNS))
            .anyMatch(it -> fits(String.valueOf(it.get(1)).toLowerCase(Locale.ROOT)));
    if (!carries) {
      throw new CertificateException(
          String.format(
              "the client's certificate has the names %s (expected the DNS name '%s')",
              names.stream().map(it -> it.get(1)).toList(), name));
    }
  }

  private boolean fits(String pattern) {
    int dot = name.indexOf('.');
    return pattern.equals(name)
        || (pattern.startsWith("*.")
            && dot > 0
            && pattern.substring(1).equals(name.substring(dot)));
  }
}
