package dev.sluice.telemetry;

import dev.sluice.rule.RuleBook;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.atomic.LongAdder;

/** A short name for what a set of rules says, the same in every process. */
final class Fingerprint {
  private Fingerprint() {}

  /**
   * The sum of the beginnings of the SHA-256 of each line of what the rules say. A sum, so that
   * lines need not be put in order first: all of them would be a few times as large as the rules.
   */
  static String of(RuleBook book) {
    MessageDigest digest = sha256();
    LongAdder sum = new LongAdder();
    book.describe(line -> sum.add(beginning(digest, line)));
    return HexFormat.of().toHexDigits(sum.sum());
  }

  private static long beginning(MessageDigest digest, String line) {
    return ByteBuffer.wrap(digest.digest(line.getBytes(StandardCharsets.UTF_8))).getLong();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
