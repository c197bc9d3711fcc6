package dev.sluice.rulefile;

import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.rule.ValueHash;

/**
 * How rules are taken.
 *
 * @param mergeDomains whether several files may say something of one domain
 * @param policy what becomes of a set of which only a part is good
 * @param hash what is told of values that nobody should see
 * @param origin where sets come from
 * @param onFailure who decides for a rule when the store of buckets does not, where neither the
 *     rule nor its domain says so
 */
public record RuleOptions(
    boolean mergeDomains, Policy policy, ValueHash hash, Origin origin, OnFailure onFailure) {
  /** One file for each domain, and all of them or none; hashes without a secret. */
  public static final RuleOptions STRICT = new RuleOptions(false, Policy.STRICT);

  /** How files are taken, with hashes without a secret. */
  public RuleOptions(boolean mergeDomains, Policy policy) {
    this(mergeDomains, policy, ValueHash.PLAIN);
  }

  /** How files are taken. */
  public RuleOptions(boolean mergeDomains, Policy policy, ValueHash hash) {
    this(mergeDomains, policy, hash, Origin.FILES);
  }

  /** With buckets in memory for rules whose store does not decide. */
  public RuleOptions(boolean mergeDomains, Policy policy, ValueHash hash, Origin origin) {
    this(mergeDomains, policy, hash, origin, OnFailure.LOCAL);
  }

  /** The same, with somebody else to decide where rules do not say who does. */
  public RuleOptions onFailure(OnFailure decider) {
    return new RuleOptions(mergeDomains, policy, hash, origin, decider);
  }

  /** What becomes of a set of which only a part is good. */
  public enum Policy {
    /** Nothing of it is taken. */
    STRICT,
    /** Good domains are taken; each of the others keeps what it had. */
    ISOLATE
  }

  /** Where sets of rules come from. */
  public enum Origin {
    /** From people: an empty set is a mistake, and so is a descriptor that comes twice. */
    FILES("file"),
    /**
     * From a program: an empty set says that nothing is limited, and what comes twice is put
     * together if both say the same.
     */
    CONTROL_PLANE("resource");

    private final String part;

    Origin(String part) {
      this.part = part;
    }

    /** What one of the things is called that a set consists of. */
    String part() {
      return part;
    }
  }

  /** Whether a descriptor may come twice on a level. */
  boolean mergesSiblings() {
    return mergeDomains || origin == Origin.CONTROL_PLANE;
  }
}
