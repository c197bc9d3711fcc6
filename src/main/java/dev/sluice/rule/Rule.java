package dev.sluice.rule;

/**
 * What is allowed to the descriptors that reach one place in the tree of a domain.
 *
 * @param id the place: the domain and the keys and values on the way, for people
 * @param name that the file gives it, empty where it gives none
 * @param rateLimit what it allows
 * @param shadow whether it is only watched: it never denies
 * @param payment whether hits ask or report
 */
public record Rule(String id, String name, RateLimit rateLimit, boolean shadow, Payment payment) {
  /** Whether the hits of a request are asked for beforehand or reported afterwards. */
  public enum Payment {
    /** Hits of the request ask; hits of a single descriptor report. */
    AS_SENT,
    /** All hits ask, and are taken only if they conform. */
    ASKED,
    /** All hits report what is spent already, and are taken either way. */
    REPORTED
  }
}
