package dev.sluice.envoy;

import com.google.protobuf.Duration;
import dev.sluice.decision.Answer;
import dev.sluice.decision.Status;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.proto.service.RateLimitResponse.DescriptorStatus;

/** Says decisions in Envoy's terms. Thread-safe. */
final class ResponseWriter {
  private static final int EVERYTHING = -1;

  private final AnswerFormat format;
  private final HeaderWriter headers;
  private final CurrentLimits limits = new CurrentLimits();

  ResponseWriter(AnswerFormat format) {
    this.format = format;
    headers = new HeaderWriter(format);
  }

  /** The answer to a request. */
  RateLimitResponse write(RateLimitRequest request, Answer.Decision decision) {
    RateLimitResponse.Builder response = RateLimitResponse.newBuilder();
    response.setOverallCode(code(decision.allowed()));
    for (Status status : decision.statuses()) {
      response.addStatuses(status(status));
    }
    headers.write(decision, response);
    if (format.dynamicMetadata()) {
      response.setDynamicMetadata(MetadataWriter.write(request, decision));
    }
    return response.build();
  }

  private DescriptorStatus status(Status status) {
    DescriptorStatus.Builder written = DescriptorStatus.newBuilder().setCode(code(status.isOk()));
    if (status instanceof Status.Decided decided) {
      write(Standing.of(decided), written);
    } else if (status instanceof Status.Blocked blocked) {
      write(Standing.of(blocked), written);
    } else if (status instanceof Status.Unlimited) {
      written.setLimitRemaining(EVERYTHING);
    }
    return written.build();
  }

  private void write(Standing standing, DescriptorStatus.Builder into) {
    into.setCurrentLimit(limits.of(standing.rule(), standing.requests(), standing.period()));
    into.setLimitRemaining((int) standing.remaining());
    into.setDurationUntilReset(Duration.newBuilder().setSeconds(standing.resetSeconds()));
  }

  private static Code code(boolean ok) {
    return ok ? Code.OK : Code.OVER_LIMIT;
  }
}
