package dev.sluice.telemetry;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What the reference server's counters of a rule are told apart by, where they are sent: all levels
 * of the rule. On the page only the first two are told, see {@link StatLabels}.
 *
 * @param domain of the rule
 * @param levels one name for each level
 */
record StatKey(String domain, List<String> levels) {
  private static final String PREFIX = "ratelimit.service.rate_limit.";
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
  private static final int LEVELS_ON_PAGE = 2;
  private static final int LONGEST = 256;

  static StatKey of(String domain, List<String> levels) {
    return new StatKey(
        StatLabels.sanitised(domain), levels.stream().map(StatLabels::sanitised).toList());
  }

  /** Stands for whatever there is no room for in a domain. */
  static StatKey other(String domain) {
    return new StatKey(domain, List.of(StatLabels.OTHER));
  }

  /** Whether somebody sent more text than a name should have. */
  boolean isTooLong() {
    return levels.stream().anyMatch(level -> level.length() > LONGEST);
  }

  /** Whether the page tells all of it. */
  boolean isOnPage() {
    return levels.size() <= LEVELS_ON_PAGE;
  }

  /** The key without what the page does not tell. */
  StatKey onPage() {
    return isOnPage() ? this : new StatKey(domain, levels.subList(0, LEVELS_ON_PAGE));
  }

  /** How it is told on the page. */
  StatLabels labels() {
    return new StatLabels(
        domain,
        levels.isEmpty() ? "" : levels.get(0),
        levels.size() < LEVELS_ON_PAGE ? "" : levels.get(1));
  }

  /** What the names of its counters begin with, where they are sent. */
  String name() {
    return levels.isEmpty() ? name(domain) : name(domain + "." + String.join(".", levels));
  }

  /**
   * The name of what belongs to a part of the rules. Nothing in it ends a line or begins a tag:
   * what is in the rules and in requests may be any text.
   */
  static String name(String part) {
    return PREFIX + CONTROL.matcher(part).replaceAll("_").replace(".__", "___");
  }
}
