package dev.sluice.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testing.GcraVectors;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The arithmetic alone, against every vector. */
class GcraVectorsTest {
  static List<GcraVectors.Case> cases() {
    return GcraVectors.load().cases();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyStepIsAnsweredAndLeavesTheStateThatTheModelSays(GcraVectors.Case vector) {
    Optional<BucketState> state =
        Optional.ofNullable(vector.init()).map(init -> init.under(vector.steps().get(0).asLimit()));
    for (GcraVectors.Step step : vector.steps()) {
      for (int i = 0; i < step.repeat(); i++) {
        Limit limit = step.asLimit();
        Micros before = state.map(it -> it.backlog(step.tUs(), limit)).orElse(Micros.ZERO);
        Step judged = Step.of(limit, before, step.asCharge());
        boolean carriedOut = judged.conforms() || step.asCharge() instanceof Charge.Force;
        Micros after = carriedOut ? judged.backlog() : before;
        state =
            after.equals(Micros.ZERO)
                ? Optional.empty()
                : Optional.of(BucketState.at(step.tUs(), after, limit));
        if (i == step.repeat() - 1) {
          Verdict verdict =
              Verdict.of(
                  limit,
                  step.asCharge(),
                  judged.conforms(),
                  carriedOut ? judged.granted() : 0,
                  after);
          assertThat(verdict).as("%s", step).matches(step.expect()::agreesWith);
          Optional<GcraVectors.State> expected = step.expect().stateAt(step.tUs());
          assertThat(state.isPresent()).as("%s", step).isEqualTo(expected.isPresent());
          expected.ifPresent(
              it -> assertThat(after.whole()).as("%s", step).isEqualTo(it.q() - step.tUs()));
          expected.ifPresent(it -> assertThat(after.parts()).as("%s", step).isEqualTo(it.r()));
        }
      }
    }
  }
}
