package dev.sluice.settings;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The servers that a setting names.
 *
 * @param type single, sentinel or cluster
 * @param primary the name of the primary that sentinels know; else empty
 * @param urls of one server, of sentinels, or of nodes of a cluster; the scheme of each is redis,
 *     rediss or unix, and unix is that of a single one only
 */
public record RedisServers(String type, String primary, List<URI> urls) {
  private static final Pattern COMMA = Pattern.compile(",");

  /** The database that a URL may name. */
  private static final Pattern NO_DATABASE = Pattern.compile("/?|/0+");

  public RedisServers {
    urls = List.copyOf(urls);
  }

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException if it cannot
   */
  static RedisServers of(String type, String text) {
    if (type.equals("single")) {
      return new RedisServers(type, "", List.of(Readers.redisUrl(text)));
    }
    List<String> parts = COMMA.splitAsStream(text).map(String::strip).toList();
    String primary = type.equals("sentinel") ? parts.get(0) : "";
    List<String> servers = parts.subList(primary.isEmpty() ? 0 : 1, parts.size());
    if (servers.isEmpty() || (type.equals("sentinel") && !isName(primary))) {
      throw new IllegalArgumentException(text);
    }
    List<URI> urls = new ArrayList<>();
    for (String server : servers) {
      URI url = Readers.redisUrl(server);
      if (isSocket(url) || !NO_DATABASE.matcher(url.getPath()).matches()) {
        throw new IllegalArgumentException(text);
      }
      urls.add(url);
    }
    return new RedisServers(type, primary, urls);
  }

  /** What a text has to be, for messages. */
  static String expected(String type) {
    return switch (type) {
      case "sentinel" -> "the name of the primary and host:port of sentinels, as in name,a:1,b:1";
      case "cluster" -> "host:port of nodes, as in a:1,b:1, without a database";
      default -> "host:port, redis://[user:password@]host[:port][/database], rediss://… or a path";
    };
  }

  /** Whether it is a Unix socket. */
  public boolean isSocket() {
    return isSocket(urls.get(0));
  }

  private static boolean isSocket(URI url) {
    return url.getScheme().equals("unix");
  }

  private static boolean isName(String text) {
    return !text.isEmpty() && text.indexOf(':') < 0 && text.indexOf('/') < 0;
  }
}
