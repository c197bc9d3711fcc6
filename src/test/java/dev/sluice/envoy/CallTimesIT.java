package dev.sluice.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.decision.Answer;
import dev.sluice.decision.DecisionObserver;
import dev.sluice.decision.Query;
import dev.sluice.decision.RateLimiter;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitServiceGrpc;
import dev.sluice.rule.Naming;
import dev.sluice.rule.RateLimit;
import dev.sluice.rule.Rule;
import dev.sluice.rule.RuleBook;
import dev.sluice.rule.RuleNode;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.transport.EventLoops;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How calls end, as an observer is told; the bucket of this server never answers. */
final class CallTimesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final List<Long> times = new CopyOnWriteArrayList<>();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final EventLoops loops = new EventLoops(1);
  private GrpcServer server;
  private ManagedChannel channel;

  /** Sees nothing. */
  private static final class Blind implements DecisionObserver {
    @Override
    public void unknownDomain(Query query) {}

    @Override
    public void decided(Query query, Answer.Decision decision, boolean shadowed) {}
  }

  @BeforeEach
  void start() throws IOException {
    Rule rule = Rule.plain("d.k", new RateLimit.Limited(Limit.of(1, Period.DAY)));
    RuleNode root =
        RuleNode.builder()
            .child("k", "", Naming.PLAIN, RuleNode.builder().rule(rule).build())
            .build();
    RuleBook rules = new RuleBook(Map.of("d", root));
    RateLimiter limiter =
        new RateLimiter(
            () -> Optional.of(rules),
            (charges, deadline) -> {
              asked.countDown();
              return new CompletableFuture<>();
            },
            new RateLimiter.Modes(false, false),
            new Blind());
    CallObserver observer =
        (method, ending, nanos) -> {
          times.add(nanos);
          seen.add(method + " " + ending);
        };
    server =
        new GrpcServer(
            new GrpcServer.Listener(new InetSocketAddress("localhost", 0), Optional.empty()),
            new GrpcServer.ConnectionAge(Duration.ofHours(1), Duration.ofHours(1)),
            loops,
            new GrpcServer.Served(
                new EnvoyRateLimitService(
                    limiter, new AnswerFormat(Optional.empty(), false, false, false, false, false)),
                new Health(),
                observer));
    channel =
        Grpc.newChannelBuilderForAddress(
                "localhost", server.port(), InsecureChannelCredentials.create())
            .build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.drain(Duration.ofSeconds(1));
    loops.close();
  }

  private void ask(RateLimitRequest request) {
    var unused =
        RateLimitServiceGrpc.newBlockingStub(channel)
            .withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
            .shouldRateLimit(request);
  }

  private void seesInTheEnd(String... calls) {
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(seen).containsExactly(calls));
  }

  @Test
  void aCallThatNobodyWaitsForIsAbandonedAndItsTimeIsThatOfTheWait() throws Exception {
    long startNanos = System.nanoTime();
    Future<?> call =
        RateLimitServiceGrpc.newFutureStub(channel)
            .shouldRateLimit(RateLimitClient.request("d", "k", "v"));
    assertThat(asked.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    assertThat(call.cancel(true)).isTrue();

    seesInTheEnd("SHOULD_RATE_LIMIT ABANDONED");
    assertThat(times.get(0)).isBetween(1L, System.nanoTime() - startNanos);
  }

  @Test
  void anAnswerIsAnAnswerAndARefusalIsNone() {
    ask(RateLimitClient.request("other", "k", "v"));
    seesInTheEnd("SHOULD_RATE_LIMIT ANSWERED");
    assertThatThrownBy(() -> ask(RateLimitClient.request("", "k", "v")))
        .isInstanceOf(StatusRuntimeException.class);
    seesInTheEnd("SHOULD_RATE_LIMIT ANSWERED", "SHOULD_RATE_LIMIT FAILED");
  }

  @Test
  void healthIsCountedAsItself() {
    var unused = HealthGrpc.newBlockingStub(channel).check(HealthCheckRequest.getDefaultInstance());

    seesInTheEnd("CHECK ANSWERED");
  }
}
