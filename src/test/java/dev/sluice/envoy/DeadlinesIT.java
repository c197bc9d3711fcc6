package dev.sluice.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.Deadline;
import dev.sluice.decision.Answer;
import dev.sluice.decision.DecisionObserver;
import dev.sluice.decision.Query;
import dev.sluice.decision.RateLimiter;
import dev.sluice.limit.Balance;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.proto.service.RateLimitServiceGrpc;
import dev.sluice.rule.Naming;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import dev.sluice.rule.RuleBook;
import dev.sluice.rule.RuleNode;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.RecordedLog;
import dev.sluice.transport.EventLoops;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long callers wait, and what they are told when the store does not decide. */
final class DeadlinesIT {
  private static final RateLimitRequest REQUEST = RateLimitClient.request("d", "k", "v");
  private static final Verdict PASSES = new Verdict.Allowed(1, new Balance(0, 1, 1));

  private final EventLoops loops = new EventLoops(1);
  private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
  private RateLimiter limiter;
  private GrpcServer server;
  private ManagedChannel channel;

  /** What the store was asked, and the answer that it owes. */
  private record Asked(
      List<BucketCharge> charges, Deadline deadline, CompletableFuture<List<Verdict>> answer) {}

  private static final class Blind implements DecisionObserver {
    @Override
    public void unknownDomain(Query query) {}

    @Override
    public void decided(Query query, Answer.Decision decision, boolean shadowed) {}
  }

  @BeforeEach
  void start() throws IOException {
    Rule rule = Rule.plain("d.k", new RateLimit.Limited(Limit.of(1, Period.DAY)));
    RuleNode leaf = RuleNode.builder().rule(rule).build();
    RuleNode root = RuleNode.builder().child("k", "", Naming.PLAIN, leaf).build();
    RuleBook rules = new RuleBook(Map.of("d", root));
    limiter =
        new RateLimiter(
            () -> Optional.of(rules),
            (charges, deadline) -> {
              Asked call = new Asked(charges, deadline, new CompletableFuture<>());
              asked.add(call);
              return call.answer;
            },
            new RateLimiter.Modes(false, false),
            new Blind());
    server =
        new GrpcServer(
            new GrpcServer.Listener(new InetSocketAddress("localhost", 0), Optional.empty()),
            new GrpcServer.ConnectionAge(Duration.ofHours(1), Duration.ofHours(1)),
            loops,
            new GrpcServer.Served(
                new EnvoyRateLimitService(limiter, format()),
                new Health(),
                (method, ending, nanos) -> {}));
    channel =
        Grpc.newChannelBuilderForAddress(
                "localhost", server.port(), InsecureChannelCredentials.create())
            .build();
  }

  private static AnswerFormat format() {
    return new AnswerFormat(Optional.empty(), false, false, false, false, false);
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.drain(Duration.ofSeconds(1));
    loops.close();
  }

  @Test
  void theStoreIsToldHowLongTheCallerWaits() throws Exception {
    var answer =
        RateLimitServiceGrpc.newFutureStub(channel)
            .withDeadlineAfter(60, TimeUnit.SECONDS)
            .shouldRateLimit(REQUEST);
    Asked call = next();
    assertThat(call.deadline.leftNanos(System.nanoTime()))
        .isBetween(TimeUnit.SECONDS.toNanos(30), TimeUnit.SECONDS.toNanos(60));
    call.answer.complete(List.of(PASSES));
    assertThat(answer.get(10, TimeUnit.SECONDS).getOverallCode()).isEqualTo(Code.OK);
  }

  @Test
  void whoDoesNotSayHowLongWaitsForEver() throws Exception {
    var answer = RateLimitServiceGrpc.newFutureStub(channel).shouldRateLimit(REQUEST);
    Asked call = next();
    assertThat(call.deadline).isEqualTo(Deadline.NONE);
    call.answer.complete(List.of(PASSES));
    assertThat(answer.get(10, TimeUnit.SECONDS).getOverallCode()).isEqualTo(Code.OK);

    var reply = json();
    call = next();
    assertThat(call.deadline).isEqualTo(Deadline.NONE);
    call.answer.complete(List.of(PASSES));
    assertThat(reply.get(10, TimeUnit.SECONDS).status()).isEqualTo(200);
  }

  @Test
  void aRuleThatLeavesItToTheCallerIsUnavailableWithTheReasonAndNoFaultOfOurs() throws Exception {
    try (RecordedLog log = RecordedLog.of("dev.sluice.envoy")) {
      CompletableFuture<JsonReply> reply = json();
      next().answer.completeExceptionally(undecided());
      assertThat(reply.get(10, TimeUnit.SECONDS).status()).isEqualTo(503);
      assertThat(reply.get().body()).contains("no answer in 8 ms");

      var answer = RateLimitServiceGrpc.newFutureStub(channel).shouldRateLimit(REQUEST);
      next().answer.completeExceptionally(undecided());
      assertThatThrownBy(() -> answer.get(10, TimeUnit.SECONDS))
          .cause()
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              it -> {
                assertThat(it.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                assertThat(it.getStatus().getDescription())
                    .isEqualTo("the store of buckets did not decide: no answer in 8 ms");
              });
      assertThat(log.count("")).isZero();
    }
  }

  @Test
  void aCallerThatGivesUpLetsTheStoreFinishAndNothingIsGivenBack() throws Exception {
    try (RecordedLog log = RecordedLog.of("dev.sluice.envoy")) {
      var answer = RateLimitServiceGrpc.newFutureStub(channel).shouldRateLimit(REQUEST);
      Asked call = next();
      answer.cancel(true);
      // The server has heard of it once it has answered a call that was made afterwards.
      var later = RateLimitServiceGrpc.newFutureStub(channel).shouldRateLimit(REQUEST);
      Asked second = next();
      assertThat(call.answer).isNotDone();
      call.answer.complete(List.of(PASSES));
      second.answer.complete(List.of(PASSES));
      assertThat(later.get(10, TimeUnit.SECONDS).getOverallCode()).isEqualTo(Code.OK);
      assertThat(asked).isEmpty();
      assertThat(call.charges).extracting(BucketCharge::charge).containsExactly(new Charge.Take(1));
      assertThat(log.count("")).isZero();
    }
  }

  private static BucketStoreException undecided() {
    return new BucketStoreException(BucketStoreException.Reason.TIMEOUT, "no answer in 8 ms");
  }

  private CompletableFuture<JsonReply> json() {
    String body =
        "{\"domain\":\"d\",\"descriptors\":[{\"entries\":[{\"key\":\"k\",\"value\":\"v\"}]}]}";
    return new JsonEndpoint(limiter, format(), (method, ending, nanos) -> {})
        .ask(body)
        .toCompletableFuture();
  }

  private Asked next() throws InterruptedException {
    Asked call = asked.poll(10, TimeUnit.SECONDS);
    if (call == null) {
      throw new AssertionError("the store was not asked");
    }
    return call;
  }
}
