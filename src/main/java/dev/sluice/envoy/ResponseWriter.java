package dev.sluice.envoy;

import com.google.protobuf.Duration;
import dev.sluice.decision.Answer;
import dev.sluice.decision.Status;
import dev.sluice.limit.Balance;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.proto.service.RateLimitResponse.DescriptorStatus;
import dev.sluice.proto.service.RateLimitResponse.RateLimit;
import dev.sluice.rule.Rule;

/** Says a decision in Envoy's terms. */
final class ResponseWriter {
  private static final int EVERYTHING = -1;
  private static final long MICROS_PER_SECOND = 1_000_000;

  private ResponseWriter() {}

  static RateLimitResponse write(Answer.Decision decision) {
    RateLimitResponse.Builder response = RateLimitResponse.newBuilder();
    response.setOverallCode(code(decision.allowed()));
    for (Status status : decision.statuses()) {
      response.addStatuses(status(status));
    }
    return response.build();
  }

  private static DescriptorStatus status(Status status) {
    DescriptorStatus.Builder written = DescriptorStatus.newBuilder().setCode(code(status.isOk()));
    if (status instanceof Status.Decided decided) {
      write(decided, written);
    } else if (status instanceof Status.Blocked blocked) {
      Period period =
          ((dev.sluice.rule.RateLimit.Blocked) blocked.match().rule().rateLimit()).period();
      written.setCurrentLimit(currentLimit(blocked.match().rule(), 0, period));
      written.setDurationUntilReset(seconds(period.micros()));
    } else if (status instanceof Status.Unlimited) {
      written.setLimitRemaining(EVERYTHING);
    }
    return written.build();
  }

  private static void write(Status.Decided decided, DescriptorStatus.Builder into) {
    Limit limit = decided.limit();
    Verdict verdict = decided.verdict();
    Balance balance = verdict.balance();
    into.setCurrentLimit(currentLimit(decided.match().rule(), limit.requests(), limit.period()));
    into.setLimitRemaining(
        verdict.conforms() ? (int) Math.min(balance.remaining(), Limit.MAX_REQUESTS) : 0);
    into.setDurationUntilReset(seconds(balance.resetAfterMicros()));
  }

  private static RateLimit currentLimit(Rule rule, long requests, Period period) {
    return RateLimit.newBuilder()
        .setRequestsPerUnit((int) requests)
        .setUnit(RateLimit.Unit.valueOf(period.name()))
        .setName(rule.name())
        .build();
  }

  /**
   * Whole seconds, rounded up: Envoy prints nothing else, and who waits for less comes too early.
   */
  private static Duration seconds(long micros) {
    return Duration.newBuilder()
        .setSeconds((micros + MICROS_PER_SECOND - 1) / MICROS_PER_SECOND)
        .build();
  }

  private static Code code(boolean ok) {
    return ok ? Code.OK : Code.OVER_LIMIT;
  }
}
