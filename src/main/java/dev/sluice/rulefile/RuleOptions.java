package dev.sluice.rulefile;

/**
 * How rule files are taken.
 *
 * @param mergeDomains whether several files may say something of one domain
 * @param policy what becomes of a set of which only a part is good
 */
public record RuleOptions(boolean mergeDomains, Policy policy) {
  /** One file for each domain, and all of them or none. */
  public static final RuleOptions STRICT = new RuleOptions(false, Policy.STRICT);

  /** What becomes of a set of which only a part is good. */
  public enum Policy {
    /** Nothing of it is taken. */
    STRICT,
    /** Good domains are taken; each of the others keeps what it had. */
    ISOLATE
  }
}
