package dev.sluice.bucket;

/**
 * What a rule says of its buckets beyond their limit: how they are treated when the store is in
 * trouble, and whether units may be taken in advance.
 *
 * @param onFailure who decides when the store does not
 * @param priority who is let through first when not all can be
 * @param leasable whether units may be taken before they are asked for
 */
public record Terms(OnFailure onFailure, Priority priority, boolean leasable) {
  /** Decided here, like everybody else, and leased where that is safe. */
  public static final Terms STANDARD = new Terms(OnFailure.LOCAL, Priority.DEFAULT, true);

  /** The same with this priority. */
  public Terms with(Priority other) {
    return other == priority ? this : new Terms(onFailure, other, leasable);
  }

  /** The same, but for whether units may be taken in advance. */
  public Terms leasable(boolean allowed) {
    return allowed == leasable ? this : new Terms(onFailure, priority, allowed);
  }

  /** Who decides when the store does not. The kindest comes first. */
  public enum OnFailure {
    /** Nobody: the charge is allowed. */
    ALLOW,
    /** The buckets in the memory of this process. */
    LOCAL,
    /** The caller: it is told that there is no decision. */
    ERROR,
    /** Nobody: the charge is denied. */
    DENY
  }

  /** Who is let through first when not all can be. The first goes first. */
  public enum Priority {
    CRITICAL,
    DEFAULT,
    SHEDDABLE
  }
}
