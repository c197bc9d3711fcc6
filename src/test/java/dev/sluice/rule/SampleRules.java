package dev.sluice.rule;

import dev.sluice.bucket.Terms;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.rule.Rule.Conduct;
import dev.sluice.rule.Rule.Payment;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Makes rules whose limits do not matter, in the domain {@code d}. */
final class SampleRules {
  static final RateLimit SOME = new RateLimit.Limited(Limit.of(1, Period.DAY));
  static final RuleNode NOTHING = RuleNode.builder().build();

  private SampleRules() {}

  static RuleBook book(RuleNode.Builder root) {
    return new RuleBook(Map.of("d", root.build()));
  }

  static RuleNode.Builder root() {
    return RuleNode.builder();
  }

  static RuleNode leaf(String id) {
    return node(rule(id, SOME));
  }

  static RuleNode node(Rule rule) {
    return RuleNode.builder().rule(rule).build();
  }

  static Rule rule(String id, RateLimit limit) {
    return Rule.plain(id, limit);
  }

  static Rule shadow(RateLimit limit) {
    Rule plain = rule("shadow", limit);
    Conduct conduct = new Conduct(true, false, Payment.AS_SENT, Terms.STANDARD);
    return new Rule(
        plain.id(), "", limit, conduct, plain.replaces(), plain.metadata(), plain.label());
  }

  static List<Entry> entries(String... texts) {
    return Stream.of(texts)
        .map(text -> text.split("=", -1))
        .map(parts -> new Entry(parts[0], parts[1]))
        .toList();
  }
}
