package dev.sluice.telemetry;

import java.io.IOException;
import java.io.Writer;
import java.util.regex.Pattern;

/**
 * Lines of a page as they are written, put right before they go on. Used by one thread.
 *
 * <p>The plain format becomes what the reference server would write: counters are called counters
 * although their names do not end in {@code _total}, and a bound of one second is {@code 1}.
 * OpenMetrics forbids both; there such counters are of unknown type, so that names are the same in
 * either format. What ends an OpenMetrics page is left out, since it is written after each family.
 */
final class PageLines extends Writer {
  static final String END = "# EOF\n";
  private static final Pattern UNTYPED = Pattern.compile("^(# TYPE ratelimit_\\w+) untyped$");
  private static final Pattern WHOLE_BOUND = Pattern.compile("(,le=\"\\d+)[.]0\"");

  private final Writer out;
  private final boolean plain;
  private final StringBuilder line = new StringBuilder();

  /**
   * Lines that go on to another writer, which is not closed with this one.
   *
   * @param plain whether it is the plain format; else it is OpenMetrics
   */
  PageLines(Writer out, boolean plain) {
    this.out = out;
    this.plain = plain;
  }

  @Override
  public void write(int character) throws IOException {
    line.append((char) character);
    if (character == '\n') {
      end();
    }
  }

  @Override
  public void write(String text, int offset, int length) throws IOException {
    for (int i = offset; i < offset + length; i++) {
      write(text.charAt(i));
    }
  }

  @Override
  public void write(char[] text, int offset, int length) throws IOException {
    for (int i = offset; i < offset + length; i++) {
      write(text[i]);
    }
  }

  private void end() throws IOException {
    if (plain && line.indexOf(",le=\"") >= 0) {
      out.write(WHOLE_BOUND.matcher(line).replaceAll("$1\""));
    } else if (plain && line.charAt(0) == '#') {
      out.write(UNTYPED.matcher(line).replaceAll("$1 counter"));
    } else if (plain || !END.contentEquals(line)) {
      out.append(line);
    }
    line.setLength(0);
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
