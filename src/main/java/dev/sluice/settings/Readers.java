package dev.sluice.settings;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns the texts of settings into values, with the spellings that Go's parsers accept. */
final class Readers {
  private static final Set<String> TRUE = Set.of("1", "t", "T", "TRUE", "true", "True");
  private static final Set<String> FALSE = Set.of("0", "f", "F", "FALSE", "false", "False");
  private static final Pattern DURATION =
      Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|ms|s|m|h)");

  private Readers() {}

  static boolean flag(String text) {
    if (!TRUE.contains(text) && !FALSE.contains(text)) {
      throw new IllegalArgumentException(text);
    }
    return TRUE.contains(text);
  }

  static int between(String text, int least, int most) {
    int number = Integer.parseInt(text);
    if (number < least || number > most) {
      throw new IllegalArgumentException(text);
    }
    return number;
  }

  /**
   * A sum of amounts with units, as in {@code 1m30s}; a bare 0 is a duration, another bare number
   * is not.
   */
  static Duration duration(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    Matcher amount = DURATION.matcher(text);
    Duration sum = Duration.ZERO;
    int end = 0;
    while (amount.find() && amount.start() == end) {
      double nanos = Double.parseDouble(amount.group(1)) * nanos(amount.group(2));
      sum = sum.plusNanos(Math.round(nanos));
      end = amount.end();
    }
    if (end == 0 || end != text.length()) {
      throw new IllegalArgumentException(text);
    }
    return sum;
  }

  static Duration positive(String text) {
    Duration duration = duration(text);
    if (duration.isZero()) {
      throw new IllegalArgumentException(text);
    }
    return duration;
  }

  /** A host and a port; no host means every address of the machine. */
  static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException(text);
    }
    int port = between(text.substring(colon + 1), 0, 65_535);
    String host = text.substring(0, colon).replaceAll("^\\[|]$", "");
    return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
  }

  /**
   * A level of logging in any case, by its own name or by one that the reference server gives it.
   */
  static String logLevel(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "panic", "fatal", "error" -> "ERROR";
      case "warn", "warning" -> "WARN";
      case "info", "debug", "trace" -> text.toUpperCase(Locale.ROOT);
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static double nanos(String unit) {
    return switch (unit) {
      case "ns" -> 1;
      case "us", "µs" -> 1e3;
      case "ms" -> 1e6;
      case "s" -> 1e9;
      case "m" -> 60e9;
      default -> 3_600e9;
    };
  }
}
