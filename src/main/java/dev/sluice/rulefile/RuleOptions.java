package dev.sluice.rulefile;

import dev.sluice.rule.ValueHash;

/**
 * How rule files are taken.
 *
 * @param mergeDomains whether several files may say something of one domain
 * @param policy what becomes of a set of which only a part is good
 * @param hash what is told of values that nobody should see
 */
public record RuleOptions(boolean mergeDomains, Policy policy, ValueHash hash) {
  /** One file for each domain, and all of them or none; hashes without a secret. */
  public static final RuleOptions STRICT = new RuleOptions(false, Policy.STRICT);

  /** Options with hashes without a secret. */
  public RuleOptions(boolean mergeDomains, Policy policy) {
    this(mergeDomains, policy, ValueHash.PLAIN);
  }

  /** What becomes of a set of which only a part is good. */
  public enum Policy {
    /** Nothing of it is taken. */
    STRICT,
    /** Good domains are taken; each of the others keeps what it had. */
    ISOLATE
  }
}
