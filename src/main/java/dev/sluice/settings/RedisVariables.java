package dev.sluice.settings;

import static dev.sluice.settings.Kinds.choice;
import static dev.sluice.settings.Kinds.flag;
import static dev.sluice.settings.Kinds.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The settings that there are once for each of the two Redis that buckets may be in.
 *
 * @param type how the server that decides is found
 * @param url where it is, as {@link RedisServers} reads it
 * @param socketType what kind of address the URL of a single one is
 * @param access what servers are told
 * @param tls whether to speak TLS
 * @param timeout of an attempt to connect
 */
public record RedisVariables(
    Setting<String> type,
    Setting<String> url,
    Setting<String> socketType,
    Access access,
    Setting<Boolean> tls,
    Setting<Duration> timeout) {
  private static final String FORMS =
      "host:port, redis://user:password@host:port/database, rediss://… or the path of a socket";

  /** The one for all rules, or for all that the other is not for. */
  public static final RedisVariables MAIN =
      named("REDIS_", FORMS + "; unset: buckets in the memory of this process.");

  /** The one for rules whose unit is a second. */
  public static final RedisVariables PER_SECOND =
      named("REDIS_PERSECOND_", "The same for the second Redis.");

  /**
   * What servers are told to be let in.
   *
   * @param auth password, or user and password
   * @param authFile a file with those
   * @param sentinelAuth those for sentinels
   * @param sentinelAuthFile a file with those
   */
  public record Access(
      Setting<String> auth,
      Setting<String> authFile,
      Setting<String> sentinelAuth,
      Setting<String> sentinelAuthFile) {}

  private static RedisVariables named(String prefix, String url) {
    boolean main = prefix.equals("REDIS_");
    String again = "The same for the second Redis.";
    return new RedisVariables(
        choice(
            prefix + "TYPE",
            "single",
            main
                ? "single; sentinel: REDIS_URL is the primary's name and sentinels, with commas"
                    + " between them; cluster: REDIS_URL is some of its nodes."
                : again,
            "single",
            "sentinel",
            "cluster"),
        text(prefix + "URL", "", url),
        choice(
            prefix + "SOCKET_TYPE",
            "",
            main ? "tcp or unix; unset: what REDIS_URL looks like." : again,
            "tcp",
            "unix"),
        access(prefix, main, again),
        flag(prefix + "TLS", "false", main ? "Talk to Redis over TLS, as rediss:// does." : again),
        new Setting<>(
            prefix + "TIMEOUT",
            "1s",
            "a duration such as 10s",
            main ? "How long an attempt to connect to Redis may take." : again,
            Readers::positive));
  }

  private static Access access(String prefix, boolean main, String again) {
    return new Access(
        text(
            prefix + "AUTH",
            "",
            main ? "password or user:password; goes before those in REDIS_URL." : again),
        text(
            prefix + "AUTH_FILE",
            "",
            main
                ? "File with password or user:password, read for each connection; goes before"
                    + " REDIS_AUTH."
                : again),
        text(
            prefix + "SENTINEL_AUTH",
            "",
            main ? "password or user:password for sentinels; unset: those in REDIS_URL." : again),
        text(
            prefix + "SENTINEL_AUTH_FILE",
            "",
            main
                ? "File with those, read for each connection to a sentinel; goes before"
                    + " REDIS_SENTINEL_AUTH."
                : again));
  }

  /** The servers that the settings name; empty where they name none. */
  public Optional<RedisServers> servers(Settings settings) {
    return settings.isSet(url)
        ? Optional.of(RedisServers.of(settings.get(type), settings.get(url)))
        : Optional.empty();
  }

  /** What is wrong with these settings, in the words of {@link SettingException}. */
  List<String> problems(Settings settings) {
    List<String> problems = new ArrayList<>();
    Optional<RedisServers> servers;
    try {
      servers = servers(settings);
    } catch (IllegalArgumentException e) {
      return List.of(url.refusal(settings.get(url), RedisServers.expected(settings.get(type))));
    }
    if (servers.isEmpty() && !settings.get(type).equals("single")) {
      problems.add(
          url.refusal(
              "",
              RedisServers.expected(settings.get(type)) + ", since " + type.name() + " is set"));
    }
    boolean socket = servers.filter(RedisServers::isSocket).isPresent();
    String kind = settings.get(socketType);
    boolean single = settings.get(type).equals("single");
    if (single && servers.isPresent() && !kind.isEmpty() && socket != kind.equals("unix")) {
      problems.add(
          socketType.refusal(
              kind,
              String.format(
                  "%s, since %s is %s",
                  socket ? "unix" : "tcp", url.name(), socket ? "a path" : "no path")));
    }
    if (socket && settings.get(tls)) {
      problems.add(tls.refusal("true", String.format("false, since %s is a path", url.name())));
    }
    return problems;
  }
}
