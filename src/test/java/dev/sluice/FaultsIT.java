package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.testing.Exposition;
import dev.sluice.testing.LeakyMeter;
import dev.sluice.testing.OpenLoad;
import dev.sluice.testing.OpenLoad.Call;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.Relay;
import dev.sluice.testing.SluiceProcess;
import io.grpc.Status;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server as it starts by default, under load, while its Redis does what a Redis may do.
 *
 * <p>One server goes through all faults, in any order, so what one of them leaves behind is seen by
 * the next. In each, every call is answered, no more passes than the README says, and Redis decides
 * again by itself.
 */
@TestInstance(Lifecycle.PER_CLASS)
class FaultsIT {
  private static final int PER_SECOND = 500;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Most calls would take much longer if they waited for Redis, even on a slow machine. */
  private static final Duration PROMPTLY = Duration.ofMillis(500);

  private static final int BURST = 100;
  private static final Limit SCARCE = Limit.of(600, Period.MINUTE, BURST);

  /** Units that may pass while an answer is on its way, on a slow machine. */
  private static final int IN_TRANSIT = 30;

  private static final RateLimitRequest CONTENDED = RateLimitClient.request("f", "scarce", "s");

  private final RedisProcess redis = RedisProcess.start();
  private final Relay network = new Relay(redis.port());
  private SluiceProcess server;
  private OpenLoad load;
  private Exposition before;
  private int refills;

  @BeforeAll
  void startUnderLoad(@TempDir Path rules) throws IOException {
    Files.writeString(
        rules.resolve("f.yaml"),
        """
        domain: f
        descriptors:
          - {key: many, rate_limit: {unit: day, requests_per_unit: 1000000}}
          - {key: scarce, rate_limit: {unit: minute, requests_per_unit: 600, burst: 100}}
        """);
    server =
        SluiceProcess.serve(
            rules,
            Map.of("REDIS_URL", network.url(), "DEGRADED_HEADER", "true", "JAVA_OPTS", "-Xmx256m"));
    before = metrics();
    load = new OpenLoad(server.grpcPort(), PER_SECOND, PATIENCE, FaultsIT::request);
    eventually().until(this::redisDecides);
  }

  /** Every fifth call wants what all want, the others go to 200 buckets with plenty. */
  private static RateLimitRequest request(long number) {
    return number % 5 == 0
        ? CONTENDED
        : RateLimitClient.request("f", "many", "u" + number % 1_000 / 5);
  }

  @Test
  void redisIsKilledAndComesBackEmpty() {
    Fault fault = new Fault();
    redis.kill();
    fault.isAnsweredWithoutRedis(PER_SECOND);
    redis.restart();
    fault.isOver(1);
  }

  @Test
  void redisHangsAndGoesOn() {
    Fault fault = new Fault();
    redis.pause();
    fault.isAnsweredWithoutRedis(PER_SECOND * 3);
    redis.resume();
    fault.isOver(1);
  }

  @Test
  void redisPausesItsClients() {
    Fault fault = new Fault();
    redis.tell(commands -> commands.clientPause(2_000));
    fault.isAnsweredWithoutRedis(PER_SECOND);
    fault.isOver(1);
  }

  @Test
  void redisStallsAgainAndAgain() {
    Fault fault = new Fault();
    for (int i = 0; i < 4; i++) {
      redis.pause();
      fault.isAnsweredWithoutRedis(PER_SECOND / 3);
      redis.resume();
      fault.isAnswered(PER_SECOND / 3);
    }
    fault.isOver(4);
  }

  @Test
  void scriptsAreFlushedAllTheTime() {
    Fault fault = new Fault();
    for (int i = 0; i < 10; i++) {
      redis.tell(commands -> commands.scriptFlush());
      fault.isAnswered(PER_SECOND / 10);
    }
    fault.isOver(1);
    assertThat(fault.failures("error")).isZero();
  }

  @Test
  void everythingIsDeleted() {
    Fault fault = new Fault();
    redis.tell(commands -> commands.flushall());
    fault.isAnswered(PER_SECOND);
    fault.isOver(1);
    assertThat(fault.failures("error")).isZero();
  }

  @Test
  void redisIsFull() {
    Fault fault = new Fault();
    redis.tell(commands -> commands.configSet("maxmemory", "1"));
    fault.isAnsweredWithoutRedis(PER_SECOND);
    redis.tell(commands -> commands.configSet("maxmemory", "0"));
    fault.isOver(1);
    assertThat(fault.failures("out_of_memory")).isPositive();
  }

  @Test
  void redisIsAReplicaForAWhile() {
    Fault fault = new Fault();
    redis.tell(commands -> commands.replicaof("127.0.0.1", 1));
    fault.isAnsweredWithoutRedis(PER_SECOND);
    redis.tell(commands -> commands.replicaofNoOne());
    fault.isOver(1);
  }

  @Test
  void thePasswordIsAnotherOneForAWhile() {
    Fault fault = new Fault();
    redis.tell(
        commands -> {
          commands.configSet("requirepass", "open-sesame");
          commands
              .clientList()
              .lines()
              .filter(FaultsIT::isOurs)
              .map(FaultsIT::id)
              .forEach(id -> commands.clientKill(io.lettuce.core.KillArgs.Builder.id(id)));
        });
    fault.isAnsweredWithoutRedis(PER_SECOND);
    redis.tell(commands -> commands.configSet("requirepass", ""));
    fault.isOver(1);
    assertThat(server.errors()).contains("NOAUTH").doesNotContain("open-sesame");
  }

  @Test
  void packetsAreLostWhileBothEndsBelieveThatTheyAreConnected() {
    Fault fault = new Fault();
    network.swallow();
    fault.isAnsweredWithoutRedis(PER_SECOND * 3);
    network.mend();
    fault.isOver(1);
  }

  @AfterAll
  void nothingIsLostAndNothingGrew() throws IOException {
    try (redis;
        network;
        SluiceProcess ends = server;
        OpenLoad stops = load) {
      stops.stop();
      eventually().until(() -> stops.answers() == stops.sent());
      List<Call> calls = stops.ended();
      Exposition after = metrics();
      assertThat(calls).allMatch(call -> call.code() == Status.Code.OK);
      assertThat(calls.stream().filter(Call::degraded).count())
          .isEqualTo(growth(after, "sluice_local_decisions_total"));
      assertThat((long) calls.size()).isEqualTo(growth(after, "sluice_requests_total"));
      assertThat(resident(ends.pid())).isLessThan(512L << 10);
      assertThat(ends.errors()).doesNotContain("ERROR", "Exception", "\tat ");
      assertThat(admittedBeyond(calls)).isLessThanOrEqualTo(refills * BURST + IN_TRANSIT);
    }
  }

  private long growth(Exposition after, String series) {
    return sum(after, series) - sum(before, series);
  }

  private static long sum(Exposition page, String series) {
    return (long) page.beginning(series + "{").values().stream().mapToDouble(it -> it).sum();
  }

  /** What passed of the scarce, at the worst, beyond its burst and what came back since. */
  private static long admittedBeyond(List<Call> calls) {
    LeakyMeter meter = new LeakyMeter(SCARCE);
    calls.stream()
        .filter(call -> call.number() % 5 == 0 && call.verdict() == Code.OK)
        .map(call -> call.beganNanos() + call.nanos())
        .sorted(Comparator.naturalOrder())
        .forEach(at -> meter.admit(TimeUnit.NANOSECONDS.toMicros(at), 1));
    return meter.overshoot();
  }

  /** Kilobytes of memory that a process has. */
  private static long resident(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  private Exposition metrics() {
    return Exposition.at(URI.create("http://127.0.0.1:" + server.metricsPort() + "/metrics"));
  }

  /** Whether nearly all of the last half second was decided by Redis. */
  private boolean redisDecides() {
    List<Call> calls = load.ended();
    int lately = PER_SECOND / 2;
    return calls.size() > lately
        && calls.subList(calls.size() - lately, calls.size()).stream()
                .filter(Call::degraded)
                .count()
            < lately / 10;
  }

  private static ConditionFactory eventually() {
    return await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(20));
  }

  private static boolean isOurs(String client) {
    return client.contains("name=sluice");
  }

  private static long id(String client) {
    return Long.parseLong(client.replaceAll("^id=(\\d+).*", "$1"));
  }

  /** What happens from now until it is over. */
  private final class Fault {
    private final int begin = load.answers();
    private final Exposition page = metrics();
    private final long lines = server.errors().lines().count();

    /** So many more calls end. */
    void isAnswered(int calls) {
      int now = load.answers();
      eventually().until(() -> load.answers() >= now + calls);
    }

    /** So many more calls are decided here. */
    void isAnsweredWithoutRedis(int calls) {
      long now = degraded();
      eventually().until(() -> degraded() >= now + calls);
    }

    private long degraded() {
      return load.ended().stream().filter(Call::degraded).count();
    }

    /**
     * Redis decides again, and all was as it should be meanwhile.
     *
     * @param times the bucket of all may have been full again, at most
     */
    void isOver(int times) {
      refills += times;
      eventually().until(FaultsIT.this::redisDecides);
      List<Call> calls = load.ended();
      calls = calls.subList(begin, calls.size());
      assertThat(calls).allMatch(call -> call.code() == Status.Code.OK);
      assertThat(calls.stream().filter(call -> call.number() % 5 != 0))
          .allMatch(call -> call.verdict() == Code.OK);
      assertThat(calls.stream().filter(call -> call.nanos() < PROMPTLY.toNanos()).count())
          .isGreaterThan(calls.size() * 9L / 10);
      eventually()
          .until(
              () -> redis.ask(it -> it.clientList()).lines().filter(FaultsIT::isOurs).count() == 1);
      assertThat(server.errors().lines().count() - lines).isLessThanOrEqualTo(10);
    }

    long failures(String reason) {
      String series = "sluice_redis_failures_total{reason=\"" + reason + "\"}";
      return (long) (metrics().value(series) - page.value(series));
    }
  }
}
