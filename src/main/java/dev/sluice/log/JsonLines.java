package dev.sluice.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes each event as one line of JSON, with the fields of the reference server, {@code @message},
 * {@code @timestamp} and {@code level}, and {@code logger} and {@code exception} besides.
 *
 * <p>Logback's own encoder has other names for them, which cannot be set.
 */
public final class JsonLines extends EncoderBase<ILoggingEvent> {
  private static final byte[] NOTHING = new byte[0];

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(256);
    field(line.append('{'), "@message", event.getFormattedMessage());
    field(line.append(','), "@timestamp", DateTimeFormatter.ISO_INSTANT.format(time(event)));
    field(line.append(','), "level", level(event.getLevel()));
    field(line.append(','), "logger", event.getLoggerName());
    if (event.getThrowableProxy() != null) {
      field(line.append(','), "exception", ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    return line.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static Instant time(ILoggingEvent event) {
    Instant instant = event.getInstant();
    return instant == null ? Instant.ofEpochMilli(event.getTimeStamp()) : instant;
  }

  /** As the reference server names it. */
  private static String level(Level level) {
    return level.equals(Level.WARN) ? "warning" : level.toString().toLowerCase(Locale.ROOT);
  }

  private static void field(StringBuilder line, String name, String value) {
    line.append('"').append(name).append("\":\"");
    for (int i = 0; i < value.length(); i++) {
      character(line, value.charAt(i));
    }
    line.append('"');
  }

  private static void character(StringBuilder line, char character) {
    switch (character) {
      case '"' -> line.append("\\\"");
      case '\\' -> line.append("\\\\");
      case '\n' -> line.append("\\n");
      case '\r' -> line.append("\\r");
      case '\t' -> line.append("\\t");
      default -> {
        if (character < ' ' || Character.isSurrogate(character) || isLineEnd(character)) {
          line.append(String.format("\\u%04x", (int) character));
        } else {
          line.append(character);
        }
      }
    }
  }

  /** To some readers a line ends here too. */
  private static boolean isLineEnd(char character) {
    return character == '\u007f'
        || character == '\u0085'
        || character == '\u2028'
        || character == '\u2029';
  }
}
