package dev.sluice.settings;

import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns the texts of settings into values, with the spellings that Go's parsers accept. */
final class Readers {
  private static final Set<String> TRUE = Set.of("1", "t", "T", "TRUE", "true", "True");
  private static final Set<String> FALSE = Set.of("0", "f", "F", "FALSE", "false", "False");
  private static final Pattern DURATION =
      Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");
  private static final Pattern ADDRESS =
      Pattern.compile("(?:\\[([^\\[\\]]+)]|([^:\\[\\]]*)):(\\d+)");
  private static final Pattern HOST = Pattern.compile("\\[[0-9A-Fa-f:.]+]:|[A-Za-z0-9._-]+:");
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
  private static final Pattern RATIO = Pattern.compile("\\d+(?:\\.\\d*)?|\\.\\d+");
  private static final Pattern DATABASE = Pattern.compile("/?|/\\d{1,6}");
  private static final Pattern EMPTY_HALF = Pattern.compile("(?:^|,):|:(?:,|$)");
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);
  private static final BigDecimal LONGEST = BigDecimal.valueOf(Long.MAX_VALUE);

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
   * is not. Like Go's, it fits into 63 bits of nanoseconds: 292 years. What is finer than a
   * nanosecond is dropped.
   */
  static Duration duration(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    Matcher amount = DURATION.matcher(text);
    BigDecimal nanos = BigDecimal.ZERO;
    int end = 0;
    while (amount.find() && amount.start() == end) {
      nanos = nanos.add(new BigDecimal(amount.group(1)).multiply(nanos(amount.group(2))));
      end = amount.end();
    }
    if (end == 0 || end != text.length() || nanos.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(text);
    }
    return Duration.ofNanos(nanos.longValue());
  }

  static float ratio(String text) {
    float ratio = RATIO.matcher(text).matches() ? Float.parseFloat(text) : Float.NaN;
    if (!(ratio >= 0 && ratio <= 1)) {
      throw new IllegalArgumentException(text);
    }
    return ratio;
  }

  static Duration positive(String text) {
    Duration duration = duration(text);
    if (duration.isZero()) {
      throw new IllegalArgumentException(text);
    }
    return duration;
  }

  /**
   * A host and a port; no host means every address of the machine. A host with colons is in
   * brackets, since its last group could be a port as well.
   */
  static InetSocketAddress address(String text) {
    Matcher address = ADDRESS.matcher(text);
    if (!address.matches()) {
      throw new IllegalArgumentException(text);
    }
    int port = between(address.group(3), 0, 65_535);
    String host = address.group(1) == null ? address.group(2) : address.group(1);
    return host == null || host.isEmpty()
        ? new InetSocketAddress(port)
        : new InetSocketAddress(host, port);
  }

  /** A host and a port, as text; Go's way of saying that the host is a DNS name is left out. */
  static String hostAndPort(String text) {
    String plain = text.startsWith("dns:///") ? text.substring("dns:///".length()) : text;
    Matcher address = ADDRESS.matcher(plain);
    if (!address.matches() || !HOST.matcher(plain).lookingAt()) {
      throw new IllegalArgumentException(text);
    }
    between(address.group(3), 1, 65_535);
    return plain;
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

  /** The name of a header: a token of RFC 9110. */
  static String headerName(String text) {
    if (!TOKEN.matcher(text).matches()) {
      throw new IllegalArgumentException(text);
    }
    return text;
  }

  /** What becomes of rule files of which only a part is good. */
  static String reloadPolicy(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "strict", "isolate" -> text.toUpperCase(Locale.ROOT);
      default -> throw new IllegalArgumentException(text);
    };
  }

  /** A number, with or without a fraction. */
  static BigDecimal number(String text) {
    return new BigDecimal(text);
  }

  /**
   * Values by name, written as {@code k:v,k2:v2}. Of a name that comes twice the last value counts;
   * a pair that lacks one of both says nothing.
   */
  static SortedMap<String, String> tags(String text) {
    SortedMap<String, String> tags = new TreeMap<>();
    for (String pair : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int colon = pair.indexOf(':');
      if (colon < 0 || colon != pair.lastIndexOf(':')) {
        throw new IllegalArgumentException(text);
      }
      if (colon > 0 && colon < pair.length() - 1) {
        tags.put(pair.substring(0, colon), pair.substring(colon + 1));
      }
    }
    return tags;
  }

  /** The same, where each pair has to have both. */
  static SortedMap<String, String> fullTags(String text) {
    if (EMPTY_HALF.matcher(text).find()) {
      throw new IllegalArgumentException(text);
    }
    return tags(text);
  }

  /** Names with commas between them, none of which is empty. */
  static List<String> names(String text) {
    List<String> names = text.isEmpty() ? List.of() : List.of(text.split(",", -1));
    if (names.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(text);
    }
    return names.stream().map(String::strip).toList();
  }

  /** A regular expression, whose groups may have names as in Go. */
  static Pattern pattern(String text) {
    return Pattern.compile(text.replace("(?P<", "(?<"));
  }

  static Duration interval(String text) {
    Duration interval = duration(text);
    if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
      throw new IllegalArgumentException(text);
    }
    return interval;
  }

  /** The one of these words that the text is, in any case; the standard stands for itself. */
  static String oneOf(String text, String standard, String... words) {
    if (text.equals(standard)) {
      return text;
    }
    return Arrays.stream(words)
        .filter(text::equalsIgnoreCase)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(text));
  }

  /**
   * Where a Redis is: a URL whose scheme is redis, rediss or unix. A path is one of a socket, and a
   * host needs no scheme.
   */
  static URI redisUrl(String text) {
    return text.startsWith("/") ? socket(text) : server(text);
  }

  private static URI socket(String path) {
    try {
      return new URI("unix", null, path, null);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(path, e);
    }
  }

  private static URI server(String text) {
    URI url = URI.create(text.contains("://") ? text : "redis://" + text);
    if (url.getScheme().equals("unix") && url.getAuthority() == null && isPlain(url)) {
      return socket(url.getPath());
    }
    boolean redis = url.getScheme().equals("redis") || url.getScheme().equals("rediss");
    if (!redis || url.getHost() == null || !DATABASE.matcher(url.getPath()).matches()) {
      throw new IllegalArgumentException(text);
    }
    if (!isPlain(url) || url.getPort() == 0 || url.getPort() > 65_535) {
      throw new IllegalArgumentException(text);
    }
    return url;
  }

  private static boolean isPlain(URI url) {
    return url.getQuery() == null && url.getFragment() == null;
  }

  private static BigDecimal nanos(String unit) {
    return BigDecimal.valueOf(
        switch (unit) {
          case "ns" -> 1L;
          case "us", "µs", "μs" -> 1_000L;
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          case "m" -> 60_000_000_000L;
          default -> 3_600_000_000_000L;
        });
  }
}
