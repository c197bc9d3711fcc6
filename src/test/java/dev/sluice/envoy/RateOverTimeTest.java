package dev.sluice.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.Deadline;
import dev.sluice.bucket.InMemoryBucketStore;
import dev.sluice.decision.Answer;
import dev.sluice.decision.DecisionObserver;
import dev.sluice.decision.Query;
import dev.sluice.decision.RateLimiter;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.rule.RuleBook;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.RuleFiles;
import dev.sluice.rulefile.RuleOptions;
import dev.sluice.rulefile.RuleText;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.TestClock;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Which algorithm it is, as callers see it in the course of a minute. */
class RateOverTimeTest {
  private static final long SECOND = 1_000_000;

  /** The first second of a minute. */
  private static final long MINUTE = 1_790_000_040 * SECOND;

  private final TestClock clock = new TestClock(MINUTE);
  private final ResponseWriter writer =
      new ResponseWriter(new AnswerFormat(Optional.empty(), false, true, false, false, false));

  private RateLimiter limiter(String rateLimit) {
    String file = "domain: tick\ndescriptors: [{key: t, rate_limit: " + rateLimit + "}]\n";
    RuleText text = new RuleText.Read("tick.yaml", StandardCharsets.UTF_8.encode(file));
    Loading loading = RuleFiles.read("rules", List.of(text), RuleOptions.STRICT);
    RuleBook rules = ((Loading.Loaded) loading).rules();
    return new RateLimiter(
        () -> Optional.of(rules),
        new InMemoryBucketStore(clock, clock.ticker(), 100),
        new RateLimiter.Modes(false, false),
        new DecisionObserver() {
          @Override
          public void unknownDomain(Query query) {}

          @Override
          public void decided(Query query, Answer.Decision decision, boolean shadowed) {}
        });
  }

  private RateLimitResponse ask(RateLimiter limiter) {
    RateLimitRequest request = RateLimitClient.request("tick", "t", "a");
    Answer answer =
        limiter.decide(RequestReader.read(request, Deadline.NONE)).toCompletableFuture().join();
    return writer.write(request, (Answer.Decision) answer);
  }

  /** Asks at each of these times, in microseconds from the start of the minute. */
  private long allowed(RateLimiter limiter, LongStream times) {
    return times
        .filter(
            time -> {
              clock.set(MINUTE + time);
              return ask(limiter).getOverallCode() == Code.OK;
            })
        .count();
  }

  private static LongStream times(int count, long at) {
    return LongStream.generate(() -> at).limit(count);
  }

  @Nested
  class SixPerMinute {
    private final RateLimiter six = limiter("{unit: minute, requests_per_unit: 6}");

    @Test
    void comeBackOneByOneAndNotAllAtOnce() {
      assertThat(allowed(six, times(7, SECOND))).isEqualTo(6);

      assertThat(allowed(six, times(2, 11 * SECOND + SECOND / 2))).isEqualTo(1);
    }

    @Test
    void theResetOfADenialIsAWaitThatIsEnough() {
      allowed(six, times(6, SECOND));
      RateLimitResponse denied = ask(six);
      long wait = denied.getStatuses(0).getDurationUntilReset().getSeconds();

      assertThat(denied.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(wait).isBetween(1L, 60L);
      clock.set(clock.micros() + wait * SECOND);
      assertThat(ask(six).getOverallCode()).isEqualTo(Code.OK);
    }

    @Test
    void retryAfterIsTheLeastWaitThatIsEnough() {
      allowed(six, times(6, SECOND));
      RateLimitResponse denied = ask(six);

      assertThat(denied.getResponseHeadersToAdd(0).getKey()).isEqualTo("Retry-After");
      assertThat(denied.getResponseHeadersToAdd(0).getValue()).isEqualTo("10");
      assertThat(allowed(six, times(1, 11 * SECOND - 1))).isZero();
      assertThat(allowed(six, times(2, 11 * SECOND))).isEqualTo(1);
    }
  }

  @Test
  void theEdgeOfAMinuteIsNoSecondBurst() {
    RateLimiter twenty = limiter("{unit: minute, requests_per_unit: 20}");

    assertThat(allowed(twenty, times(20, 58 * SECOND + SECOND / 2))).isEqualTo(20);
    assertThat(allowed(twenty, times(20, 60 * SECOND + SECOND / 2))).isZero();
    assertThat(allowed(twenty, times(20, 61 * SECOND + SECOND / 2))).isEqualTo(1);
  }

  @Nested
  class FivePerMinuteAskedForTwiceASecond {
    private final LongStream twiceASecond =
        LongStream.rangeClosed(1, 119).map(half -> half * SECOND / 2);

    @Test
    void areNineInTheFirstMinuteOfAFullBucket() {
      assertThat(allowed(limiter("{unit: minute, requests_per_unit: 5}"), twiceASecond))
          .isEqualTo(9);
    }

    @Test
    void areFiveWithABurstOfOne() {
      assertThat(allowed(limiter("{unit: minute, requests_per_unit: 5, burst: 1}"), twiceASecond))
          .isEqualTo(5);
    }

    @Test
    void areAsManyMoreAsTheBurstIsLarger() {
      assertThat(allowed(limiter("{unit: minute, requests_per_unit: 5, burst: 3}"), twiceASecond))
          .isEqualTo(7);
    }
  }
}
