package dev.sluice.cli;

import dev.sluice.proto.descriptor.RateLimitDescriptor;
import java.util.ArrayList;
import java.util.List;

/**
 * A descriptor as people type it: {@code key=value,key=value}. Only the first {@code =} of an entry
 * splits it; {@code \,} is a comma and {@code \\} a backslash.
 */
final class DescriptorText {
  private DescriptorText() {}

  /**
   * The descriptor that a text says.
   *
   * @throws IllegalArgumentException if it says none, with the reason
   */
  static RateLimitDescriptor parse(String text) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    for (String entry : split(text)) {
      int equals = entry.indexOf('=');
      if (equals <= 0) {
        throw new IllegalArgumentException(
            String.format("'%s' is no entry of a descriptor (expected key=value)", entry));
      }
      descriptor
          .addEntriesBuilder()
          .setKey(entry.substring(0, equals))
          .setValue(entry.substring(equals + 1));
    }
    return descriptor.build();
  }

  private static List<String> split(String text) {
    List<String> entries = new ArrayList<>();
    StringBuilder entry = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      boolean last = i + 1 == text.length();
      if (character == '\\' && !last && ",\\".indexOf(text.charAt(i + 1)) >= 0) {
        entry.append(text.charAt(++i));
      } else if (character == ',') {
        entries.add(entry.toString());
        entry.setLength(0);
      } else {
        entry.append(character);
      }
    }
    entries.add(entry.toString());
    return entries;
  }
}
