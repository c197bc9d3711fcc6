package dev.sluice.tls;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Private keys in PEM: PKCS #8, and the older forms for RSA (PKCS #1) and elliptic curves (SEC 1),
 * which Java does not read and certificate tools still write. They only lack the frame of PKCS #8.
 */
final class PrivateKeys {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----([^-]*)-----END \\1-----");
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

  private static final byte[] VERSION = hex("020100");

  /** rsaEncryption, without parameters. */
  private static final byte[] RSA = hex("300d06092a864886f70d0101010500");

  /** id-ecPublicKey; a curve follows. */
  private static final byte[] EC = hex("06072a8648ce3d0201");

  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final int CURVE = 0xA0;

  private PrivateKeys() {}

  /** The first private key in a text; it throws, with a reason, where there is none. */
  static PrivateKey read(String text) throws GeneralSecurityException {
    Matcher block = BLOCK.matcher(text);
    if (!block.find()) {
      throw new IllegalArgumentException(
          "it has no private key (expected -----BEGIN PRIVATE KEY-----)");
    }
    String headers = block.group(2);
    if (block.group(1).startsWith("ENCRYPTED") || headers.contains("ENCRYPTED")) {
      throw new IllegalArgumentException("its key is encrypted (expected one without a password)");
    }
    byte[] der;
    try {
      der = Base64.getMimeDecoder().decode(headers);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("its key is no base64", e);
    }
    return switch (block.group(1)) {
      case "RSA PRIVATE KEY" -> key(sequence(VERSION, RSA, wrapped(OCTETS, der)));
      case "EC PRIVATE KEY" ->
          key(sequence(VERSION, sequence(EC, curve(der)), wrapped(OCTETS, der)));
      default -> key(der);
    };
  }

  private static PrivateKey key(byte[] pkcs8) throws GeneralSecurityException {
    List<PrivateKey> fitting = new ArrayList<>();
    for (String algorithm : ALGORITHMS) {
      fitting.addAll(key(algorithm, pkcs8));
    }
    if (fitting.isEmpty()) {
      throw new IllegalArgumentException("its key is none of " + String.join(", ", ALGORITHMS));
    }
    return fitting.get(0);
  }

  private static List<PrivateKey> key(String algorithm, byte[] pkcs8)
      throws GeneralSecurityException {
    try {
      return List.of(
          KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8)));
    } catch (InvalidKeySpecException e) {
      return List.of();
    }
  }

  /** The curve that a key of SEC 1 names: after the version and the number. */
  private static byte[] curve(byte[] der) {
    try {
      int at = skipHead(der, 0);
      at = end(der, at);
      at = end(der, at);
      if ((der[at] & 0xFF) == CURVE) {
        int from = skipHead(der, at);
        return Arrays.copyOfRange(der, from, end(der, at));
      }
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("its key is cut off", e);
    }
    throw new IllegalArgumentException("its key names no curve");
  }

  private static int skipHead(byte[] der, int at) {
    int first = der[at + 1] & 0xFF;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7F);
  }

  private static int end(byte[] der, int at) {
    int from = skipHead(der, at);
    int length = der[at + 1] & 0xFF;
    if (length >= 0x80) {
      length = 0;
      for (int i = at + 2; i < from; i++) {
        length = (length << 8) | (der[i] & 0xFF);
      }
    }
    return from + length;
  }

  private static byte[] sequence(byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    return wrapped(SEQUENCE, content.toByteArray());
  }

  private static byte[] wrapped(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 4);
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else {
      out.write(0x82);
      out.write(content.length >> 8);
      out.write(content.length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }
}
