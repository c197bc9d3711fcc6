package dev.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.TextFormat;
import dev.sluice.InProcessServer;
import dev.sluice.proto.service.RateLimitRequest;
import io.grpc.StatusRuntimeException;

/** Runs a case against a server of its own. */
final class CaseRunner {
  private static final int LONGEST_TEXT = 500;

  private final Case what;
  private final InProcessServer server;

  private CaseRunner(Case what, InProcessServer server) {
    this.what = what;
    this.server = server;
  }

  static void run(Case what) {
    try (InProcessServer server = InProcessServer.of(what.files(), what.settings())) {
      new CaseRunner(what, server).run();
    }
  }

  private void run() {
    for (int i = 0; i < what.steps().size(); i++) {
      Step step = what.steps().get(i);
      if (step instanceof Step.Call call) {
        run(call, i + 1);
      } else if (step instanceof Step.Reload reload) {
        server.reload(reload.files());
      } else if (step instanceof Step.Wait wait) {
        await().pollDelay(wait.time()).atMost(wait.time().multipliedBy(2)).until(() -> true);
      }
    }
  }

  private void run(Step.Call call, int number) {
    for (int time = 1; time <= call.times(); time++) {
      Outcome outcome = send(call.request());
      assertThat(call.expected().faults(outcome))
          .as(
              "%s%n  step %d, time %d of %d: %s%n  expected: %s%n  answer: %s%n  not as expected",
              what.displayName(),
              number,
              time,
              call.times(),
              brief(call.request()),
              call.expected(),
              outcome)
          .isEmpty();
    }
  }

  private Outcome send(RateLimitRequest request) {
    try {
      return new Outcome.Answered(server.client().shouldRateLimit(request));
    } catch (StatusRuntimeException e) {
      return new Outcome.Refused(e.getStatus());
    }
  }

  private static String brief(RateLimitRequest request) {
    String text = TextFormat.printer().emittingSingleLine(true).printToString(request);
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
  }
}
