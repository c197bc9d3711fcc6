package dev.sluice.cli;

import dev.sluice.bucket.Terms;
import dev.sluice.limit.Limit;
import dev.sluice.rule.Entry;
import dev.sluice.rule.Match;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import dev.sluice.rule.RuleBook;
import dev.sluice.rule.Trace;
import dev.sluice.rulefile.Suggestion;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Says in words how descriptors found their rules, or why they found none. */
final class Explanation {
  private static final int MOST_LISTED = 5;
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private final PrintWriter out;
  private final RuleBook rules;
  private final String domain;
  private final String keyPrefix;

  Explanation(PrintWriter out, RuleBook rules, String domain, String keyPrefix) {
    this.out = out;
    this.rules = rules;
    this.domain = domain;
    this.keyPrefix = keyPrefix;
  }

  /** Says what became of one descriptor. */
  void print(int number, Trace trace) {
    out.println("descriptor " + number);
    int level = 0;
    for (Trace.Level tried : trace.levels()) {
      line("level " + ++level, text(tried.entry()) + ": " + choice(tried));
    }
    if (trace.match() instanceof Match.Found found) {
      print(found);
    } else if (trace.levels().stream().allMatch(it -> it.step().isPresent())) {
      line("no rule", missingLimit(trace));
    }
  }

  /** Says that a rule does not hold beside the others of its request. */
  void printReplaced(Match.Found found, List<Match> matches) {
    List<Integer> by = new ArrayList<>();
    for (int i = 0; i < matches.size(); i++) {
      if (matches.get(i) instanceof Match.Found other
          && other.rule().replaces().contains(found.rule().name())) {
        by.add(i + 1);
      }
    }
    line("replaced", "does not hold in this request, because of descriptor " + joined(by));
  }

  private void print(Match.Found found) {
    Rule rule = found.rule();
    line("rule", rule.id());
    if (!rule.name().isEmpty()) {
      line("name", rule.name());
    }
    print(rule.rateLimit());
    if (rule.rateLimit() instanceof RateLimit.Limited) {
      line("bucket", bucket(found.bucketEntries()));
      line("failure", word(rule.conduct().terms().onFailure()));
    }
    List<String> flags = flags(rule.conduct());
    if (!flags.isEmpty()) {
      line("flags", joined(flags));
    }
    if (!rule.replaces().isEmpty()) {
      line("replaces", joined(new TreeSet<>(rule.replaces())));
    }
    line("metrics", domain + "." + String.join(".", found.label()));
  }

  private void print(RateLimit rateLimit) {
    if (rateLimit instanceof RateLimit.Limited limited) {
      Limit limit = limited.limit();
      line("limit", limit.requests() + " per " + word(limit.period()));
      line("burst", String.valueOf(limit.burst()));
      line("debt", String.valueOf(limit.debt()));
    } else if (rateLimit instanceof RateLimit.Blocked blocked) {
      line("limit", "0 per " + word(blocked.period()) + ": nothing passes");
    } else {
      line("limit", "none: everything passes");
    }
  }

  private String bucket(List<Entry> entries) {
    return keyPrefix + rules.bucket(domain, entries).text();
  }

  private static List<String> flags(Rule.Conduct conduct) {
    List<String> flags = new ArrayList<>();
    if (conduct.shadow()) {
      flags.add("shadow_mode");
    }
    if (conduct.quota()) {
      flags.add("quota_mode");
    }
    if (conduct.payment() != Rule.Payment.AS_SENT) {
      flags.add("post_paid: " + (conduct.payment() == Rule.Payment.REPORTED));
    }
    if (conduct.terms().priority() != Terms.Priority.DEFAULT) {
      flags.add("priority: " + word(conduct.terms().priority()));
    }
    return flags;
  }

  private static String choice(Trace.Level level) {
    return level
        .step()
        .map(
            step ->
                switch (step.choice()) {
                  case EXACT -> "exact value";
                  case PATTERN -> "pattern " + text(step.written());
                  case ANY_VALUE -> "every value of " + step.written().key();
                })
        .orElseGet(() -> nothing(level));
  }

  private static String nothing(Trace.Level level) {
    if (level.offered().isEmpty()) {
      return "no rule goes as deep (expected fewer entries)";
    }
    Entry sent = level.entry();
    TreeSet<String> keys =
        level.offered().stream().map(Entry::key).collect(Collectors.toCollection(TreeSet::new));
    if (!keys.contains(sent.key())) {
      return String.format(
          "no rule for the key '%s'%s (expected %s)",
          sent.key(), Suggestion.forWord(sent.key(), keys), some(keys));
    }
    TreeSet<String> values =
        level.offered().stream()
            .filter(it -> it.key().equals(sent.key()))
            .map(Entry::value)
            .collect(Collectors.toCollection(TreeSet::new));
    return String.format(
        "no rule for the value '%s'%s (expected %s)",
        sent.value(), Suggestion.forWord(sent.value(), values), some(values));
  }

  private static String missingLimit(Trace trace) {
    TreeSet<String> below =
        trace.below().stream()
            .map(Explanation::text)
            .collect(Collectors.toCollection(TreeSet::new));
    return below.isEmpty()
        ? "this has no rate_limit, so it is exempt"
        : "this has no rate_limit, rules go on below it (expected one more entry: "
            + some(below)
            + ")";
  }

  private static String some(SortedSet<String> names) {
    String first = names.stream().limit(MOST_LISTED).collect(Collectors.joining(", "));
    int more = names.size() - MOST_LISTED;
    return more > 0 ? first + " or one of " + more + " more" : first;
  }

  private static String text(Entry entry) {
    return entry.value().isEmpty() ? entry.key() : entry.key() + "=" + entry.value();
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static String joined(Iterable<?> parts) {
    List<String> texts = new ArrayList<>();
    parts.forEach(it -> texts.add(String.valueOf(it)));
    return String.join(", ", texts);
  }

  private void line(String what, String text) {
    out.printf("  %-9s %s%n", what, CONTROL.matcher(text).replaceAll("?"));
  }
}
