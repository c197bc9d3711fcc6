package dev.sluice.tls;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testing.Certificates;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RequiredNameTest {
  private static final X509Certificate[] NOBODY = {};

  @TempDir private static Path home;
  private static X509Certificate[] envoy = NOBODY;
  private static X509Certificate[] anyOfExample = NOBODY;
  private static X509Certificate[] nameless = NOBODY;

  @BeforeAll
  static void makeCertificates() {
    Certificates certificates = new Certificates(home);
    nameless = chain(certificates.authority("authority"));
    envoy = chain(certificates.issue("envoy", "authority", "envoy.example.com").certificate());
    anyOfExample = chain(certificates.issue("any", "authority", "*.example.com").certificate());
  }

  @ParameterizedTest
  @ValueSource(strings = {"envoy.example.com", "ENVOY.Example.COM"})
  void theNameMayBeInAnyCase(String name) {
    assertThatCode(() -> verify(name, envoy)).doesNotThrowAnyException();
  }

  @Test
  void aStarStandsForOneLabel() {
    assertThatCode(() -> verify("envoy.example.com", anyOfExample)).doesNotThrowAnyException();
    refused("example.com", anyOfExample);
    refused("a.envoy.example.com", anyOfExample);
    refused(".example.com", anyOfExample);
  }

  @Test
  void anotherNameIsRefusedAndSaid() {
    assertThatThrownBy(() -> verify("other.example.com", envoy))
        .isInstanceOf(CertificateException.class)
        .hasMessage(
            "the client's certificate has the names [envoy.example.com]"
                + " (expected the DNS name 'other.example.com')");
  }

  @Test
  void aCertificateWithoutNamesIsRefused() {
    refused("authority", nameless);
  }

  private static void refused(String name, X509Certificate[] chain) {
    assertThatThrownBy(() -> verify(name, chain)).isInstanceOf(CertificateException.class);
  }

  private static void verify(String name, X509Certificate[] chain) throws CertificateException {
    new RequiredName(name).verifyPeerCertificate(chain, "EC", new java.net.Socket());
  }

  private static X509Certificate[] chain(Path file) {
    PemFile pem = new PemFile("FILE", file);
    return pem.certificates(pem.read()).toArray(X509Certificate[]::new);
  }
}
