package dev.sluice.rule;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What is told of a value that nobody should see: 160 bits of a hash of its domain, its key and
 * itself, behind a {@code #}. It is the same in every process that was given the same secret.
 *
 * <p>Without a secret it is SHA-256, so whoever sees a hash and can guess the value can make sure;
 * with one it is HMAC-SHA-256 (RFC 2104), and only who has the secret can. Immutable.
 */
public final class ValueHash {
  /** Without a secret. */
  public static final ValueHash PLAIN = new ValueHash(ValueHash::sha256);

  private static final int LENGTH = 20;

  private final UnaryOperator<byte[]> function;

  private ValueHash(UnaryOperator<byte[]> function) {
    this.function = function;
  }

  /** With this secret; without one where it is empty. */
  public static ValueHash with(String secret) {
    if (secret.isEmpty()) {
      return PLAIN;
    }
    Mac mac = mac(secret.getBytes(StandardCharsets.UTF_8));
    return new ValueHash(bytes -> copy(mac).doFinal(bytes));
  }

  /** What is told of the value; an empty one stays as it is, since there is nothing to hide. */
  public String of(String domain, String key, String value) {
    if (value.isEmpty()) {
      return value;
    }
    byte[] hash = function.apply(joined(List.of(domain, key, value)));
    return "#"
        + Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, LENGTH));
  }

  /** Each part behind its length, so that no two lists of parts are the same bytes. */
  private static byte[] joined(List<String> parts) {
    List<byte[]> encoded =
        parts.stream().map(part -> part.getBytes(StandardCharsets.UTF_8)).toList();
    int length = encoded.stream().mapToInt(part -> Integer.BYTES + part.length).sum();
    ByteBuffer joined = ByteBuffer.allocate(length);
    encoded.forEach(part -> joined.putInt(part.length).put(part));
    return joined.array();
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError("every Java platform has SHA-256", impossible);
    }
  }

  private static Mac mac(byte[] secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, mac.getAlgorithm()));
      return mac;
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError("every Java platform has HmacSHA256", impossible);
    }
  }

  /** One for this call alone, with its secret in place: they are not thread-safe. */
  private static Mac copy(Mac mac) {
    try {
      return (Mac) mac.clone();
    } catch (CloneNotSupportedException impossible) {
      throw new AssertionError("the platform's own HmacSHA256 can be copied", impossible);
    }
  }
}
