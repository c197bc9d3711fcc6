package dev.sluice.rule;

import dev.sluice.limit.Limit;
import java.util.stream.Collectors;

/** Rules in the words in which the reference server lists them, one on a line, sorted. */
public final class RuleListing {
  private RuleListing() {}

  /** All rules of a book; nothing where it has none. */
  public static String of(RuleBook book) {
    return book.domains().stream()
        .flatMap(domain -> book.rules(domain).map(rule -> line(domain, rule)))
        .sorted()
        .collect(Collectors.joining());
  }

  private static String line(String domain, Rule rule) {
    return String.format(
        "%s.%s: %s, shadow_mode: %b, quota_mode: %b\n",
        domain,
        String.join(".", rule.label().levels()),
        limit(rule.rateLimit()),
        rule.conduct().shadow(),
        rule.conduct().quota());
  }

  private static String limit(RateLimit rateLimit) {
    if (rateLimit instanceof RateLimit.Limited limited) {
      Limit limit = limited.limit();
      return "unit=" + limit.period() + " requests_per_unit=" + limit.requests();
    }
    String unit =
        rateLimit instanceof RateLimit.Blocked blocked ? blocked.period().name() : "UNKNOWN";
    return "unit=" + unit + " requests_per_unit=0";
  }
}
