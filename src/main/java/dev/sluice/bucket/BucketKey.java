package dev.sluice.bucket;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
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
 * <p>A name may begin with a tag in braces, which alone chooses its slot in a Redis Cluster. There
 * are no other braces in it.
 *
 * @param text for example {@code edge|remote_address=10.0.0.7} or {@code
 *     {acme}edge|tenant=acme,path=/checkout}
 */
public record BucketKey(String text) {
  private static final int LONGEST = 96;
  private static final int KEPT = 40;
  private static final int DIGEST_BYTES = 20;
  private static final int LONGEST_TAG = 24;
  private static final int TAG_DIGEST_BYTES = 12;

  /** Starts the name of a bucket of this domain. */
  public static Builder in(String domain) {
    return new Builder(domain);
  }

  /** Collects the entries of a path, outermost first. Not thread-safe; use it once. */
  public static final class Builder {
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();
    private final StringBuilder path = new StringBuilder(LONGEST);
    private char separator = '|';
    private String slot = "";

    private Builder(String domain) {
      escape(path, domain);
    }

    /**
     * Puts the bucket into the slot that this text leads to, together with all others of the same
     * text.
     *
     * @param text empty for the slot that the whole name leads to
     */
    public Builder inSlotOf(String text) {
      slot = text;
      return this;
    }

    /** Adds an entry. */
    public Builder entry(String key, String value) {
      path.append(separator);
      escape(path, key);
      path.append('=');
      escape(path, value);
      separator = ',';
      return this;
    }

    /** The finished name. */
    public BucketKey build() {
      String name =
          path.length() <= LONGEST
              ? path.toString()
              : path.substring(0, KEPT) + digest(path, DIGEST_BYTES);
      return new BucketKey(slot.isEmpty() ? name : '{' + tag() + '}' + name);
    }

    private String tag() {
      StringBuilder tag = new StringBuilder(LONGEST_TAG);
      escape(tag, slot);
      return tag.length() <= LONGEST_TAG ? tag.toString() : digest(tag, TAG_DIGEST_BYTES);
    }

    private static String digest(CharSequence text, int bytes) {
      byte[] digest = sha256().digest(text.toString().getBytes(StandardCharsets.US_ASCII));
      byte[] head = Arrays.copyOf(digest, bytes);
      return '~' + Base64.getUrlEncoder().withoutPadding().encodeToString(head);
    }

    private static void escape(StringBuilder path, String part) {
      int plain = 0;
      while (plain < part.length() && isPlain(part.charAt(plain))) {
        plain++;
      }
      path.append(part, 0, plain);
      if (plain < part.length()) {
        escapeFrom(path, part, plain);
      }
    }

    private static void escapeFrom(StringBuilder path, String part, int start) {
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
