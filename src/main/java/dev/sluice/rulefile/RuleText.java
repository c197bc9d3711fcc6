package dev.sluice.rulefile;

import java.nio.ByteBuffer;

/** A rule file as it was found. */
public sealed interface RuleText {
  /** Its name, for messages. */
  String file();

  /**
   * One that could be read.
   *
   * @param bytes its content, compared by value
   */
  record Read(String file, ByteBuffer bytes) implements RuleText {}

  /**
   * One that could not.
   *
   * @param reason what the system said
   */
  record Unreadable(String file, String reason) implements RuleText {}
}
