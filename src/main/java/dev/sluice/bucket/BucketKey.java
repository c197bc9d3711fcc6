package dev.sluice.bucket;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The name of a bucket: a domain and the entries that chose the rule, as printable ASCII of bounded
 * length.
 *
 * <p>Two different paths never have the same name. Bytes that mean something here, to Redis Cluster
 * or to a terminal are written as {@code %XX}; a path of more than 96 bytes keeps its first 40, and
 * the rest of its identity is 160 bits of SHA-256 behind a {@code ~}, a byte that no short path
 * contains.
 *
 * @param text for example {@code edge|remote_address=10.0.0.7}
 */
public record BucketKey(String text) {
  private static final int LONGEST = 96;
  private static final int KEPT = 40;
  private static final int DIGEST_BYTES = 20;

  /** Starts the name of a bucket of this domain. */
  public static Builder in(String domain) {
    return new Builder(domain);
  }

  /** Collects the entries of a path, outermost first. Not thread-safe; use it once. */
  public static final class Builder {
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();
    private final StringBuilder path = new StringBuilder(LONGEST);
    private char separator = '|';

    private Builder(String domain) {
      escape(domain);
    }

    /** Adds an entry. */
    public Builder entry(String key, String value) {
      path.append(separator);
      escape(key);
      path.append('=');
      escape(value);
      separator = ',';
      return this;
    }

    /** The finished name. */
    public BucketKey build() {
      return new BucketKey(path.length() <= LONGEST ? path.toString() : shortened());
    }

    private String shortened() {
      byte[] digest = sha256().digest(path.toString().getBytes(StandardCharsets.US_ASCII));
      byte[] head = java.util.Arrays.copyOf(digest, DIGEST_BYTES);
      return path.substring(0, KEPT)
          + '~'
          + Base64.getUrlEncoder().withoutPadding().encodeToString(head);
    }

    private void escape(String part) {
      int plain = 0;
      while (plain < part.length() && isPlain(part.charAt(plain))) {
        plain++;
      }
      path.append(part, 0, plain);
      if (plain < part.length()) {
        escapeFrom(part, plain);
      }
    }

    private void escapeFrom(String part, int start) {
      for (byte b : part.substring(start).getBytes(StandardCharsets.UTF_8)) {
        char c = (char) (b & 0xFF);
        if (isPlain(c)) {
          path.append(c);
        } else {
          path.append('%').append(HEX[c >> 4]).append(HEX[c & 0xF]);
        }
      }
    }

    private static boolean isPlain(char c) {
      return switch (c) {
        case '%', '{', '}', '|', '=', ',', '~' -> false;
        default -> c > ' ' && c < 0x7F;
      };
    }

    private static MessageDigest sha256() {
      try {
        return MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException impossible) {
        throw new AssertionError("every Java platform has SHA-256", impossible);
      }
    }
  }
}
