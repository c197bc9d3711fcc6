package dev.sluice.conformance;

import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitResponse.DescriptorStatus;
import dev.sluice.proto.service.RateLimitResponse.RateLimit;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * What a call is expected to bring.
 *
 * <ul>
 *   <li>{@code overall}: the code of the whole answer
 *   <li>{@code codes}, {@code limit}, {@code remaining}, {@code unit}, {@code name}: one for each
 *       descriptor; null where it does not matter, none where there is no limit
 *   <li>{@code statuses}: code and remaining of each descriptor in short, such as {@code OK/3},
 *       {@code OVER/0}, or {@code OK/-} where no rule applies
 *   <li>{@code reset_at_most}: the longest number of seconds until reset that any descriptor has
 *   <li>{@code headers}: all headers to add, by name and in order; a value may be a range of
 *       numbers
 *   <li>{@code metadata}: the dynamic metadata, or none
 *   <li>{@code rpc}: the code of the error, or error where any that we send will do
 *   <li>{@code message}: what the text of the error contains
 *   <li>{@code either}: an error, or the limit that the rules have
 * </ul>
 *
 * @param value as the file says it
 */
record Expectation(Value value) {
  private static final String ANY_LIMIT = "configured limit ";

  /** The codes that stand for a decision that is not there, and whose fault that is. */
  private static final Set<Status.Code> OUR_ERRORS =
      Set.of(Status.Code.INVALID_ARGUMENT, Status.Code.UNAVAILABLE);

  /** What is not as expected; empty if all is. */
  List<String> faults(Outcome outcome) {
    List<String> faults = new ArrayList<>();
    value.fields().forEach((form, expected) -> check(form, expected, outcome, faults));
    return faults;
  }

  private static void check(String form, Value expected, Outcome outcome, List<String> faults) {
    boolean met =
        outcome instanceof Outcome.Answered answered
            ? isMet(form, expected, answered.response())
            : isMet(form, expected, ((Outcome.Refused) outcome).status());
    if (!met) {
      faults.add(form + ": " + expected);
    }
  }

  private static boolean isMet(String form, Value expected, Status error) {
    return switch (form) {
      case "rpc" ->
          expected.text().equals("error")
              ? OUR_ERRORS.contains(error.getCode())
              : error.getCode().name().equals(expected.text());
      case "message" -> String.valueOf(error.getDescription()).contains(expected.text());
      case "either" -> OUR_ERRORS.contains(error.getCode());
      default -> false;
    };
  }

  private static boolean isMet(String form, Value expected, RateLimitResponse answer) {
    return switch (form) {
      case "overall" -> answer.getOverallCode().name().equals(expected.text());
      case "codes" -> each(expected, answer, status -> status.getCode().name());
      case "limit" -> each(expected, answer, status -> limit(status));
      case "remaining" -> each(expected, answer, status -> remaining(status));
      case "unit" -> each(expected, answer, status -> status.getCurrentLimit().getUnit().name());
      case "name" -> each(expected, answer, status -> status.getCurrentLimit().getName());
      case "statuses" -> each(expected, answer, Expectation::inShort);
      case "reset_at_most" -> resets(answer, Long.parseLong(expected.text()));
      case "headers" -> Extras.headers(expected, answer);
      case "metadata" -> Extras.metadata(expected, answer);
      case "either" ->
          expected.items().stream()
              .map(Value::text)
              .anyMatch(it -> it.equals(ANY_LIMIT + limit(answer.getStatuses(0))));
      default -> false;
    };
  }

  private static boolean each(
      Value expected, RateLimitResponse answer, Function<DescriptorStatus, String> actual) {
    List<Value> wanted = expected.items();
    boolean met = wanted.size() == answer.getStatusesCount();
    for (int i = 0; met && i < wanted.size(); i++) {
      met =
          wanted.get(i).isAbsent()
              || wanted.get(i).text().equals(actual.apply(answer.getStatuses(i)));
    }
    return met;
  }

  private static boolean resets(RateLimitResponse answer, long most) {
    return answer.getStatusesList().stream()
        .mapToLong(status -> status.getDurationUntilReset().getSeconds())
        .allMatch(seconds -> seconds >= 1 && seconds <= most);
  }

  private static String inShort(DescriptorStatus status) {
    String code = status.getCode() == RateLimitResponse.Code.OVER_LIMIT ? "OVER" : "OK";
    boolean unruled =
        status.equals(DescriptorStatus.newBuilder().setCode(status.getCode()).build());
    return code + "/" + (unruled ? "-" : remaining(status));
  }

  private static String limit(DescriptorStatus status) {
    RateLimit limit = status.getCurrentLimit();
    return status.hasCurrentLimit() ? Integer.toUnsignedString(limit.getRequestsPerUnit()) : "none";
  }

  private static String remaining(DescriptorStatus status) {
    return Integer.toUnsignedString(status.getLimitRemaining());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
