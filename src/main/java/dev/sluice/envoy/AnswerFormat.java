package dev.sluice.envoy;

import java.util.Optional;

/**
 * What answers say beyond their statuses. Immutable.
 *
 * @param limitHeaders the three headers that describe one limit, if they are wanted
 * @param ietfHeaders whether RateLimit-Policy and RateLimit are sent
 * @param retryAfter whether Retry-After is sent with denials
 * @param dynamicMetadata whether the request and its rules' metadata are sent back
 * @param allQuota whether every limited descriptor counts as one of a quota rule
 * @param degraded whether answers say that the store of buckets did not decide
 */
public record AnswerFormat(
    Optional<LimitHeaders> limitHeaders,
    boolean ietfHeaders,
    boolean retryAfter,
    boolean dynamicMetadata,
    boolean allQuota,
    boolean degraded) {
  /** The names of the three headers: for the limit, for what remains of it, and for its reset. */
  public record LimitHeaders(String limit, String remaining, String reset) {}
}
