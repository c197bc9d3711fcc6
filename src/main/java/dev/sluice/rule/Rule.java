package dev.sluice.rule;

import dev.sluice.bucket.Terms;
import dev.sluice.bucket.Terms.OnFailure;
import java.util.List;
import java.util.Set;

/**
 * What is allowed to the descriptors that reach one place in the tree of a domain.
 *
 * @param id the place: the domain and the keys and values on the way, for people
 * @param name that the file gives it, empty where it gives none
 * @param rateLimit what it allows
 * @param conduct how its verdicts count
 * @param replaces the names of rules that do not hold in a request that reaches this one
 * @param metadata what is sent along with an answer that it lets pass
 * @param label what its metrics are kept under
 */
public record Rule(
    String id,
    String name,
    RateLimit rateLimit,
    Conduct conduct,
    Set<String> replaces,
    Metadata metadata,
    Label label) {
  public Rule {
    replaces = Set.copyOf(replaces);
  }

  /** Of the place alone: rules are looked up for each request, and few share their place. */
  @Override
  public int hashCode() {
    return id.hashCode();
  }

  /** A rule without a name of its own, that is enforced and says nothing beyond its verdict. */
  public static Rule plain(String id, RateLimit rateLimit) {
    Label label = new Label(List.of(id), false);
    return new Rule(id, "", rateLimit, Conduct.PLAIN, Set.of(), Metadata.NONE, label);
  }

  /** The same rule with somebody else to decide when the store of buckets does not. */
  public Rule onFailure(OnFailure decider) {
    Terms terms = conduct.terms;
    if (terms.onFailure() == decider) {
      return this;
    }
    Terms others = new Terms(decider, terms.priority(), terms.leasable());
    Conduct changed = new Conduct(conduct.shadow, conduct.quota, conduct.payment, others);
    return new Rule(id, name, rateLimit, changed, replaces, metadata, label);
  }

  /** Whether hits are asked for beforehand or reported afterwards. */
  public enum Payment {
    /** Hits of the request ask; hits of a single descriptor report. */
    AS_SENT,
    /** All hits ask, and are taken only if they conform. */
    ASKED,
    /** All hits report what is spent already, and are taken either way. */
    REPORTED
  }

  /**
   * How verdicts count.
   *
   * @param shadow whether the rule is only watched: it never denies
   * @param quota whether it denies only together with every other quota rule of the request
   * @param payment whether hits ask or report
   * @param terms what holds for its buckets beyond the limit
   */
  public record Conduct(boolean shadow, boolean quota, Payment payment, Terms terms) {
    /** Enforced, each on its own, by what was sent. */
    public static final Conduct PLAIN = new Conduct(false, false, Payment.AS_SENT, Terms.STANDARD);

    /** Whether a denial of this rule alone denies the request. */
    public boolean enforced() {
      return !shadow && !quota;
    }
  }

  /**
   * What metrics are kept under.
   *
   * @param levels one name for each level of the path, as the file writes it
   * @param detailed whether the values of the request stand in their place
   */
  public record Label(List<String> levels, boolean detailed) {
    public Label {
      levels = List.copyOf(levels);
    }
  }
}
