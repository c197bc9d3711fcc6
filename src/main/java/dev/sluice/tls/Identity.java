package dev.sluice.tls;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Who a server is: a certificate, those that vouch for it, and its private key, which belongs to
 * it.
 *
 * @param chain the server's certificate first
 */
record Identity(List<X509Certificate> chain, PrivateKey key) {
  private static final byte[] SAMPLE = {1, 2, 3};

  /**
   * The identity in two files.
   *
   * @throws TlsException if one of them cannot be used, or if they are not of one pair
   */
  static Identity of(PemFile certificate, String certificateText, PemFile key, String keyText) {
    List<X509Certificate> chain = certificate.certificates(certificateText);
    PrivateKey privateKey = key.privateKey(keyText);
    if (!isPair(chain.get(0).getPublicKey(), privateKey)) {
      throw key.bad(
          String.format(
              "its key is not that of the certificate in '%s' (%s)",
              certificate.path(), certificate.setting()));
    }
    return new Identity(chain, privateKey);
  }

  private static boolean isPair(PublicKey publicKey, PrivateKey privateKey) {
    try {
      Signature signature = Signature.getInstance(algorithm(privateKey));
      signature.initSign(privateKey);
      signature.update(SAMPLE);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(SAMPLE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static String algorithm(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> key.getAlgorithm();
    };
  }
}
