package dev.sluice.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.testing.Certificates;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PrivateKeysTest {
  /** Where the key itself begins in the frame of an RSA key of 2048 bits. */
  private static final int FRAME = 26;

  @ParameterizedTest
  @CsvSource({"RSA", "EC", "Ed25519"})
  void keysOfPkcs8AreRead(String algorithm) throws GeneralSecurityException {
    PrivateKey key = KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();

    assertThat(PrivateKeys.read(Certificates.pem("PRIVATE KEY", key.getEncoded()))).isEqualTo(key);
  }

  @Test
  void rsaKeysOfPkcs1AreRead() throws GeneralSecurityException {
    PrivateKey key = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate();
    byte[] pkcs8 = key.getEncoded();
    byte[] pkcs1 = Arrays.copyOfRange(pkcs8, FRAME, pkcs8.length);

    assertThat(PrivateKeys.read(Certificates.pem("RSA PRIVATE KEY", pkcs1))).isEqualTo(key);
  }

  @Test
  void keysOfSec1AreRead() throws GeneralSecurityException {
    ECPrivateKey key = ecKey();
    String text =
        "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
            + Certificates.pem("EC PRIVATE KEY", sec1(key));

    assertThat(((ECPrivateKey) PrivateKeys.read(text)).getS()).isEqualTo(key.getS());
  }

  @Test
  void keysThatCannotBeReadAreRefusedWithTheReason() throws GeneralSecurityException {
    byte[] cut = Arrays.copyOf(sec1(ecKey()), 20);

    refused("no key here", "it has no private key");
    refused(Certificates.pem("ENCRYPTED PRIVATE KEY", new byte[9]), "its key is encrypted");
    refused(Certificates.pem("PRIVATE KEY", new byte[9]), "its key is none of RSA, EC, EdDSA");
    refused(Certificates.pem("EC PRIVATE KEY", cut), "its key is cut off");
  }

  private static void refused(String text, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PrivateKeys.read(text))
        .withMessageStartingWith(reason);
  }

  private static ECPrivateKey ecKey() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return (ECPrivateKey) generator.generateKeyPair().getPrivate();
  }

  /** Version 1, the number, and the name of the curve. */
  private static byte[] sec1(ECPrivateKey key) {
    byte[] number = new byte[32];
    byte[] digits = key.getS().toByteArray();
    int length = Math.min(digits.length, number.length);
    System.arraycopy(digits, digits.length - length, number, number.length - length, length);
    ByteArrayOutputStream der = new ByteArrayOutputStream();
    der.writeBytes(HexFormat.of().parseHex("30310201010420"));
    der.writeBytes(number);
    der.writeBytes(HexFormat.of().parseHex("a00a06082a8648ce3d030107"));
    assertThat(new BigInteger(1, number)).isEqualTo(key.getS());
    return der.toByteArray();
  }
}
