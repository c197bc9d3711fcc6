package dev.sluice.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.Terms;
import dev.sluice.decision.Answer;
import dev.sluice.decision.Hits;
import dev.sluice.decision.Status;
import dev.sluice.envoy.AnswerFormat.LimitHeaders;
import dev.sluice.limit.Balance;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.rule.Match;
import dev.sluice.rule.Metadata;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import dev.sluice.rule.Rule.Conduct;
import dev.sluice.rule.Rule.Payment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

final class HeaderWriterTest {
  private static final Limit MINUTE = Limit.of(60, Period.MINUTE);
  private static final Limit HOUR = Limit.of(7, Period.HOUR);
  private static final Conduct QUOTA = new Conduct(false, true, Payment.AS_SENT, Terms.STANDARD);
  private static final AnswerFormat THREE =
      format(Optional.of(new LimitHeaders("L", "R", "S")), false, false, false);
  private static final AnswerFormat WAIT = format(Optional.empty(), false, true, false);
  private static final AnswerFormat IETF = format(Optional.empty(), true, true, false);
  private static final AnswerFormat ALL_QUOTA =
      format(Optional.of(new LimitHeaders("L", "R", "S")), false, true, true);

  @Example
  void nothingIsSaidWhereNothingIsWanted() {
    AnswerFormat nothing = format(Optional.empty(), false, false, false);

    assertThat(headers(nothing, false, denied("a", MINUTE, 1))).isEmpty();
  }

  @Example
  void anAllowedRequestIsToldOfTheLimitWithTheLeastRemaining() {
    assertThat(
            headers(
                THREE,
                true,
                new Status.Unmatched(),
                allowed("a", MINUTE, new Balance(9, 51_000_000, 1)),
                allowed("b", HOUR, new Balance(4, 1_000_001, 1)),
                allowed("c", MINUTE, new Balance(4, 2_000_000, 1))))
        .containsExactly("L: 7", "R: 4", "S: 2");
  }

  @Example
  void descriptorsWithoutALimitHaveNoHeaders() {
    Match.Found found =
        found(
            new Rule(
                "d",
                "",
                new RateLimit.Unlimited(),
                Conduct.PLAIN,
                Set.of(),
                Metadata.NONE,
                label()));

    assertThat(headers(THREE, true, new Status.Unmatched(), new Status.Unlimited(found))).isEmpty();
    assertThat(headers(IETF, true, new Status.Unmatched())).isEmpty();
  }

  @Example
  void aDenialIsToldOfTheLimitThatDeniedForLongestInEitherOrder() {
    Status passes = allowed("a", MINUTE, new Balance(0, 60_000_000, 1));
    Status minute = denied("b", MINUTE, 400_000);
    Status hour = denied("c", HOUR, 500_000_001);

    assertThat(headers(THREE, false, passes, minute, hour))
        .containsExactly("L: 7", "R: 0", "S: 501");
    assertThat(headers(THREE, false, hour, minute, passes))
        .containsExactly("L: 7", "R: 0", "S: 501");
  }

  @Example
  void aLimitOfZeroDeniesForLongest() {
    Status blocked = blocked(Period.DAY);

    assertThat(headers(THREE, false, blocked, denied("a", HOUR, 5_000_000)))
        .containsExactly("L: 0", "R: 0", "S: 86400");
    assertThat(headers(IETF, false, blocked))
        .containsExactly("RateLimit-Policy: \"d\";q=0;w=86400", "RateLimit: \"d\";r=0");
  }

  @Example
  void retryAfterIsTheWaitInWholeSecondsRoundedUp() {
    assertThat(headers(WAIT, false, denied("a", MINUTE, 1))).containsExactly("Retry-After: 1");
    assertThat(headers(WAIT, false, denied("a", MINUTE, 1_000_000)))
        .containsExactly("Retry-After: 1");
    assertThat(headers(WAIT, false, denied("a", MINUTE, 1_000_001)))
        .containsExactly("Retry-After: 2");
  }

  @Example
  void whatNeverConformsIsNotToldToTryAgain() {
    Status impossible = decided("a", MINUTE, Conduct.PLAIN, new Verdict.Impossible(full()));

    assertThat(headers(WAIT, false, impossible)).isEmpty();
    assertThat(headers(WAIT, false, denied("a", MINUTE, 1), impossible)).isEmpty();
    assertThat(headers(WAIT, false, blocked(Period.SECOND))).isEmpty();
  }

  @Example
  void whatIsAllowedInShadowModeIsNotToldToTryAgain() {
    assertThat(headers(WAIT, true, denied("a", MINUTE, 1))).isEmpty();
  }

  @Example
  void aReportThatDidNotFitWaitsForOneUnit() {
    Verdict verdict = new Verdict.Recorded(70, false, new Balance(0, 70_000_000, 11_000_000));

    assertThat(headers(WAIT, false, decided("a", MINUTE, Conduct.PLAIN, verdict)))
        .containsExactly("Retry-After: 11");
  }

  @Example
  void aQuotaRuleThatIsOverDoesNotSpeakForARequestThatAnotherDenies() {
    Status quota = decided("q", HOUR, QUOTA, new Verdict.Denied(9_000_000, full()));
    Status otherQuota = allowed("p", HOUR, QUOTA, new Balance(3, 1, 1));

    assertThat(headers(WAIT, false, quota, otherQuota, denied("a", MINUTE, 2_000_000)))
        .containsExactly("Retry-After: 2");
  }

  @Example
  void ofQuotaRulesThatDenyTogetherTheFirstToPassCounts() {
    Status late = decided("q", HOUR, QUOTA, new Verdict.Denied(9_000_000, full()));
    Status soon = decided("p", HOUR, QUOTA, new Verdict.Denied(5_000_000, full()));

    assertThat(headers(WAIT, false, late, soon)).containsExactly("Retry-After: 5");
    assertThat(headers(WAIT, false, late, soon, denied("a", MINUTE, 2_000_000)))
        .containsExactly("Retry-After: 5");
    assertThat(headers(WAIT, false, late, soon, denied("a", MINUTE, 7_000_000)))
        .containsExactly("Retry-After: 7");
  }

  @Example
  void whereAllRulesAreQuotaRulesOneThatPassesSpeaksWithTheRest() {
    Status over = denied("a", MINUTE, 2_000_000);

    assertThat(headers(ALL_QUOTA, true, allowed("b", HOUR, new Balance(3, 1, 1)), over))
        .containsExactly("L: 60", "R: 0", "S: 2");
    assertThat(headers(ALL_QUOTA, true, new Status.Unmatched(), over))
        .containsExactly("L: 60", "R: 0", "S: 2");
    assertThat(headers(ALL_QUOTA, false, over, denied("b", HOUR, 1_500_000)))
        .containsExactly("L: 7", "R: 0", "S: 2", "Retry-After: 2");
  }

  @Example
  void theDraftsFieldsNamePolicyQuotaWindowRemainderAndWait() {
    assertThat(headers(IETF, true, allowed("", MINUTE, new Balance(59, 1_000_000, 400_000))))
        .containsExactly("RateLimit-Policy: \"d.k\";q=60;w=60", "RateLimit: \"d.k\";r=59;t=1");
    assertThat(headers(IETF, false, denied("slow", HOUR, 512_000_000)))
        .containsExactly(
            "RateLimit-Policy: \"slow\";q=7;w=3600",
            "RateLimit: \"slow\";r=0;t=512",
            "Retry-After: 512");
  }

  @Example
  void aFullBucketHasNothingToWaitFor() {
    assertThat(headers(IETF, true, allowed("a", MINUTE, new Balance(60, 0, 0))))
        .containsExactly("RateLimit-Policy: \"a\";q=60;w=60", "RateLimit: \"a\";r=60");
  }

  @Example
  void aBurstOfItsOwnIsAParameterOfThePolicy() {
    assertThat(
            headers(IETF, true, allowed("a", Limit.of(60, Period.MINUTE, 5), new Balance(5, 0, 0))))
        .first()
        .isEqualTo("RateLimit-Policy: \"a\";q=60;w=60;sluice-burst=5");
  }

  @Example
  void namesBecomeStringsThatHeadersMayHold() {
    assertThat(HeaderWriter.quoted("a\"b\\c d")).isEqualTo("\"a\\\"b\\\\c d\"");
    assertThat(HeaderWriter.quoted("größe\r\nSet-Cookie: x\u007f€"))
        .isEqualTo("\"greSet-Cookie: x\"");
    assertThat(HeaderWriter.quoted("")).isEqualTo("\"\"");
  }

  @Property
  void noHeaderHasAFraction(
      @ForAll @LongRange(min = 1, max = 1L << 50) long wait,
      @ForAll @LongRange(min = 1, max = Limit.MAX_REQUESTS) long requests) {
    AnswerFormat everything =
        format(Optional.of(new LimitHeaders("L", "R", "S")), true, true, false);

    List<String> headers =
        headers(everything, false, denied("n", Limit.of(requests, Period.DAY), wait));

    long seconds = (wait + 999_999) / 1_000_000;
    assertThat(headers)
        .containsExactly(
            "L: " + requests,
            "R: 0",
            "S: " + seconds,
            "RateLimit-Policy: \"n\";q=" + requests + ";w=86400",
            "RateLimit: \"n\";r=0;t=" + seconds,
            "Retry-After: " + seconds);
  }

  @Example
  void whatTheStoreDidNotDecideIsMarkedWhereThatIsWanted() {
    AnswerFormat marked = new AnswerFormat(Optional.empty(), false, false, false, false, true);
    Balance asked = new Balance(3, 1, 1);
    Status known = allowed("a", HOUR, asked);
    Status assumed = allowed("b", HOUR, asked.asAssumed());
    assertThat(headers(marked, true, known, assumed)).containsExactly("x-ratelimit-degraded: 1");
    assertThat(headers(marked, true, known)).isEmpty();
    assertThat(headers(WAIT, true, assumed)).isEmpty();
  }

  private static List<String> headers(AnswerFormat format, boolean allowed, Status... statuses) {
    RateLimitResponse.Builder response = RateLimitResponse.newBuilder();
    new HeaderWriter(format)
        .write(new Answer.Decision(allowed, List.of(statuses), List.of()), response);
    return response.getResponseHeadersToAddList().stream()
        .map(it -> it.getKey() + ": " + it.getValue())
        .toList();
  }

  private static AnswerFormat format(
      Optional<LimitHeaders> three, boolean ietf, boolean retryAfter, boolean allQuota) {
    return new AnswerFormat(three, ietf, retryAfter, false, allQuota, false);
  }

  private static Status allowed(String name, Limit limit, Balance balance) {
    return allowed(name, limit, Conduct.PLAIN, balance);
  }

  private static Status allowed(String name, Limit limit, Conduct conduct, Balance balance) {
    return decided(name, limit, conduct, new Verdict.Allowed(1, balance));
  }

  private static Status denied(String name, Limit limit, long wait) {
    return decided(name, limit, Conduct.PLAIN, new Verdict.Denied(wait, full()));
  }

  private static Status decided(String name, Limit limit, Conduct conduct, Verdict verdict) {
    Rule rule =
        new Rule(
            "d.k", name, new RateLimit.Limited(limit), conduct, Set.of(), Metadata.NONE, label());
    return new Status.Decided(found(rule), limit, new Charge.Take(1), verdict);
  }

  private static Status blocked(Period period) {
    Match.Found found = found(Rule.plain("d", new RateLimit.Blocked(period)));
    return new Status.Blocked(found, new Hits.Asked(1), false);
  }

  private static Balance full() {
    return new Balance(0, 60_000_000, 1_000_000);
  }

  private static Match.Found found(Rule rule) {
    return new Match.Found(rule, List.of(), List.of());
  }

  private static Rule.Label label() {
    return new Rule.Label(List.of(), false);
  }
}
