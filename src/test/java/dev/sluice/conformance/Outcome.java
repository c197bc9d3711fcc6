package dev.sluice.conformance;

import com.google.protobuf.TextFormat;
import dev.sluice.proto.service.RateLimitResponse;
import io.grpc.Status;

/** What came back from a call. */
sealed interface Outcome {
  /** An answer. */
  record Answered(RateLimitResponse response) implements Outcome {
    @Override
    public String toString() {
      return TextFormat.printer().emittingSingleLine(true).printToString(response);
    }
  }

  /** An error. */
  record Refused(Status status) implements Outcome {}
}
