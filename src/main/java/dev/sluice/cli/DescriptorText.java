package dev.sluice.cli;

import dev.sluice.rule.Entry;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A descriptor as people type it: {@code key=value,key=value}. Only the first {@code =} of an entry
 * splits it; {@code \,} is a comma and {@code \\} a backslash.
 */
record DescriptorText(List<Entry> entries) {
  /** Reads one from the command line. */
  static final class Converter implements ITypeConverter<DescriptorText> {
    @Override
    public DescriptorText convert(String text) {
      try {
        return parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /**
   * The descriptor that a text says.
   *
   * @throws IllegalArgumentException if it says none, with the reason
   */
  static DescriptorText parse(String text) {
    return new DescriptorText(split(text).stream().map(DescriptorText::entry).toList());
  }

  private static Entry entry(String text) {
    int equals = text.indexOf('=');
    if (equals <= 0) {
      throw new IllegalArgumentException(
          String.format("'%s' is no entry of a descriptor (expected key=value)", text));
    }
    return new Entry(text.substring(0, equals), text.substring(equals + 1));
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
