package dev.sluice.envoy;

import dev.sluice.decision.Answer;
import dev.sluice.decision.Status;
import dev.sluice.proto.core.HeaderValue;
import dev.sluice.proto.service.RateLimitResponse;
import java.util.Optional;

/**
 * Adds the headers that callers see to an answer. They describe one limit, and every number in them
 * is whole.
 *
 * <p>Sources: the reference server's custom headers; RFC 9110 for Retry-After;
 * draft-ietf-httpapi-ratelimit-headers for RateLimit-Policy and RateLimit. Immutable.
 */
final class HeaderWriter {
  private final AnswerFormat format;

  HeaderWriter(AnswerFormat format) {
    this.format = format;
  }

  /** Adds what is wanted, and does nothing else where nothing is. */
  void write(Answer.Decision decision, RateLimitResponse.Builder into) {
    if (format.degraded() && isAssumed(decision)) {
      add(into, "x-ratelimit-degraded", "1");
    }
    boolean saysWait = format.retryAfter() && !decision.allowed();
    if (!saysWait && !format.ietfHeaders() && format.limitHeaders().isEmpty()) {
      return;
    }
    Optional<Status> decisive = DecisiveStatus.of(decision, format.allQuota());
    if (decisive.isEmpty()) {
      return;
    }
    Status status = decisive.get();
    Standing standing =
        status instanceof Status.Decided decided
            ? Standing.of(decided)
            : Standing.of((Status.Blocked) status);
    boolean exceeded = !status.isOk();
    format.limitHeaders().ifPresent(names -> addThree(names, standing, exceeded, into));
    if (format.ietfHeaders()) {
      addTwo(standing, into);
    }
    if (saysWait && exceeded) {
      standing.waitSeconds().ifPresent(wait -> add(into, "Retry-After", Long.toString(wait)));
    }
  }

  /** Whether somebody stood in for the store of one of the buckets. */
  private static boolean isAssumed(Answer.Decision decision) {
    for (Status status : decision.statuses()) {
      if (status instanceof Status.Decided decided && decided.verdict().balance().assumed()) {
        return true;
      }
    }
    return false;
  }

  private static void addThree(
      AnswerFormat.LimitHeaders names,
      Standing standing,
      boolean exceeded,
      RateLimitResponse.Builder into) {
    long reset =
        exceeded ? standing.waitSeconds().orElse(standing.resetSeconds()) : standing.resetSeconds();
    add(into, names.limit(), Long.toString(standing.requests()));
    add(into, names.remaining(), Long.toString(standing.remaining()));
    add(into, names.reset(), Long.toString(reset));
  }

  private static void addTwo(Standing standing, RateLimitResponse.Builder into) {
    String own = standing.rule().name();
    String name = quoted(own.isEmpty() ? standing.rule().id() : own);
    StringBuilder policy = new StringBuilder(name).append(";q=").append(standing.requests());
    policy.append(";w=").append(standing.period().seconds());
    if (standing.burst() != standing.requests()) {
      policy.append(";sluice-burst=").append(standing.burst());
    }
    StringBuilder state = new StringBuilder(name).append(";r=").append(standing.remaining());
    standing.waitSeconds().ifPresent(wait -> state.append(";t=").append(wait));
    add(into, "RateLimit-Policy", policy.toString());
    add(into, "RateLimit", state.toString());
  }

  /** A string of RFC 9651, without the characters that such a string cannot have. */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character == '"' || character == '\\') {
        quoted.append('\\');
      }
      if (character >= ' ' && character <= '~') {
        quoted.append(character);
      }
    }
    return quoted.append('"').toString();
  }

  private static void add(RateLimitResponse.Builder into, String name, String value) {
    into.addResponseHeadersToAdd(HeaderValue.newBuilder().setKey(name).setValue(value));
  }
}
