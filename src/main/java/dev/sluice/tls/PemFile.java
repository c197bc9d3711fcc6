package dev.sluice.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A file in PEM format.
 *
 * @param setting the variable that names it, for messages
 * @param path where it is
 */
public record PemFile(String setting, Path path) {
  /**
   * What it contains now.
   *
   * @throws TlsException if it cannot be read
   */
  String read() {
    try {
      return Files.readString(path, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw bad("there is no such file", e);
    } catch (IOException e) {
      throw bad("it cannot be read: " + e, e);
    }
  }

  /**
   * The certificates in a text of this file, in its order; at least one.
   *
   * @throws TlsException if there is none, or something else
   */
  List<X509Certificate> certificates(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    try {
      List<X509Certificate> certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (certificates.isEmpty()) {
        throw bad("it has no certificate (expected -----BEGIN CERTIFICATE-----)");
      }
      return certificates;
    } catch (GeneralSecurityException e) {
      throw bad("it has a certificate that cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * The private key in a text of this file.
   *
   * @throws TlsException if there is none that can be used
   */
  PrivateKey privateKey(String text) {
    try {
      return PrivateKeys.read(text);
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      throw bad(String.valueOf(e.getMessage()), e);
    }
  }

  TlsException bad(String reason) {
    return new TlsException(message(reason));
  }

  private TlsException bad(String reason, Throwable cause) {
    return new TlsException(message(reason), cause);
  }

  private String message(String reason) {
    return String.format("%s is '%s': %s", setting, path, reason);
  }
}
