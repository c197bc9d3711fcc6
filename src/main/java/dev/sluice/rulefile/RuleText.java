package dev.sluice.rulefile;

import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of one domain as they were found. */
public sealed interface RuleText {
  /** The name of the file or the resource, for messages. */
  String file();

  /**
   * A file that could be read.
   *
   * @param bytes its content, compared by value
   */
  record Read(String file, ByteBuffer bytes) implements RuleText {}

  /**
   * A resource of a control plane.
   *
   * @param values what a rule file would say, by the same keys: maps by text, lists, text,
   *     booleans, whole and other numbers, and null
   */
  record Resource(String file, Map<String, ? extends @Nullable Object> values) implements RuleText {
    public Resource {
      file = Reading.printable(file);
    }
  }

  /**
   * A file or a resource that could not be read.
   *
   * @param reason what the system said
   */
  record Unreadable(String file, String reason) implements RuleText {}
}
