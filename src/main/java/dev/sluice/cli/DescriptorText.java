package dev.sluice.cli;

import dev.sluice.rule.Entry;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a descriptor as it is typed: {@code key=value,key=value}. */
final class DescriptorText implements ITypeConverter<DescriptorText.Entries> {
  /** The entries of one descriptor. */
  record Entries(List<Entry> entries) {}

  @Override
  public Entries convert(String text) {
    List<Entry> entries = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("\\,", i)) {
        part.append(',');
        i++;
      } else if (text.charAt(i) == ',') {
        entries.add(entry(part.toString()));
        part.setLength(0);
      } else {
        part.append(text.charAt(i));
      }
    }
    entries.add(entry(part.toString()));
    return new Entries(List.copyOf(entries));
  }

  private static Entry entry(String text) {
    int equals = text.indexOf('=');
    if (equals <= 0) {
      throw new TypeConversionException("'" + text + "' is no entry (expected key=value)");
    }
    return new Entry(text.substring(0, equals), text.substring(equals + 1));
  }
}
