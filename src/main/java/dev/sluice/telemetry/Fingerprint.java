package dev.sluice.telemetry;

import dev.sluice.rule.Rule;
import dev.sluice.rule.RuleBook;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;

/** A short name for what a set of rules says, the same in every process. */
final class Fingerprint {
  private static final int LENGTH = 16;

  private Fingerprint() {}

  /** The beginning of the SHA-256 of all rules, in an order that does not depend on the files. */
  static String of(RuleBook book) {
    MessageDigest digest = sha256();
    for (String domain : book.domains()) {
      add(digest, "domain " + domain);
      book.rules(domain).map(Fingerprint::text).sorted().forEach(rule -> add(digest, rule));
    }
    return HexFormat.of().formatHex(digest.digest()).substring(0, LENGTH);
  }

  private static String text(Rule rule) {
    return List.of(
            rule.id(),
            rule.name(),
            rule.rateLimit(),
            rule.conduct(),
            new TreeSet<>(rule.replaces()),
            rule.metadata(),
            rule.label())
        .toString();
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
