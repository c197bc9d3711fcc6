package dev.sluice.telemetry;

import dev.sluice.rule.RuleBook;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A short name for what a set of rules says, the same in every process. */
final class Fingerprint {
  private static final int LENGTH = 16;

  private Fingerprint() {}

  /** The beginning of the SHA-256 of what the rules say. */
  static String of(RuleBook book) {
    MessageDigest digest = sha256();
    for (String domain : book.domains()) {
      book.description(domain).sorted().forEach(line -> add(digest, line));
    }
    return HexFormat.of().formatHex(digest.digest()).substring(0, LENGTH);
  }

  private static void add(MessageDigest digest, String line) {
    digest.update(line.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
