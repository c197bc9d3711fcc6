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
import dev.sluice.testing.SluiceProcess;
import io.grpc.Status;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;

/**
 * A server as it starts by default, and callers that do not wait for each other, while something
 * happens to its Redis.
 *
 * <p>Every fifth call wants units of one bucket that all want, so it is always empty; the others go
 * to 200 buckets with plenty. In each fault every call is answered, no more passes of the scarce
 * than is said, and Redis decides again by itself, soon.
 */
final class UnderLoad implements AutoCloseable {
  static final int PER_SECOND = 500;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Most calls would take much longer if they waited for Redis, even on a slow machine. */
  private static final Duration PROMPTLY = Duration.ofMillis(500);

  /** From the end of a fault until Redis decides again. */
  private static final Duration SOON = Duration.ofSeconds(2);

  /** A call that is late soon after a fault is part of the same outage. */
  private static final Duration AFTERMATH = Duration.ofSeconds(5);

  private static final int BURST = 100;
  private static final Limit SCARCE = Limit.of(600, Period.MINUTE, BURST);

  /** Units that may pass while an answer is on its way, on a slow machine. */
  private static final int IN_TRANSIT = 30;

  private static final int CONTENDED_OF = 5;
  private static final RateLimitRequest CONTENDED = RateLimitClient.request("f", "scarce", "s");
  private static final String BEGINS = "Redis does not decide (";
  private static final Pattern ENDS = Pattern.compile("Redis decides again after ([0-9.]+) s");
  private static final String UNDER_WAY = "sluice_redis_calls_under_way{";

  private final SluiceProcess server;
  private final OpenLoad load;
  private final Exposition before;
  private final long heapBefore;

  /**
   * Starts both, and waits until Redis decides.
   *
   * @param rules a directory for rule files
   * @param redis settings that say where it is
   */
  UnderLoad(Path rules, Map<String, String> redis) throws IOException {
    Files.writeString(
        rules.resolve("f.yaml"),
        """
        domain: f
        descriptors:
          - {key: many, rate_limit: {unit: day, requests_per_unit: 1000000}}
          - {key: scarce, rate_limit: {unit: minute, requests_per_unit: 600, burst: 100}}
        """);
    Map<String, String> settings = new HashMap<>(redis);
    settings.put("DEGRADED_HEADER", "true");
    settings.put("JAVA_OPTS", "-Xmx256m");
    server = SluiceProcess.serve(rules, settings);
    warm();
    before = metrics();
    load = new OpenLoad(server.grpcPort(), PER_SECOND, PATIENCE, UnderLoad::request);
    eventually().until(() -> redisDecides() && isScarce());
    heapBefore = heapInUse();
  }

  /** Begins with other calls: where CPU is scarce, both ends are seconds behind while cold. */
  private void warm() {
    try (OpenLoad first =
        new OpenLoad(server.grpcPort(), PER_SECOND, Duration.ofMinutes(1), UnderLoad::request)) {
      eventually().until(() -> keepsUp(first));
      first.stop();
      eventually().until(() -> first.answers() == first.sent());
    }
  }

  /** Whether the calls of the last half second were prompt. */
  private static boolean keepsUp(OpenLoad load) {
    int lately = PER_SECOND / 2;
    int answers = load.answers();
    return answers > lately
        && load.endedSince(answers - lately).stream()
            .allMatch(call -> call.nanos() < PROMPTLY.toNanos());
  }

  private static RateLimitRequest request(long number) {
    return number % CONTENDED_OF == 0
        ? CONTENDED
        : RateLimitClient.request("f", "many", "u" + number % 1_000 / CONTENDED_OF);
  }

  static ConditionFactory eventually() {
    return within(Duration.ofSeconds(20));
  }

  /** As soon as Redis has to decide again after a fault. */
  static ConditionFactory soon() {
    return within(SOON);
  }

  private static ConditionFactory within(Duration time) {
    return await().atMost(time).pollInterval(Duration.ofMillis(20));
  }

  Exposition metrics() {
    return Exposition.at(URI.create("http://127.0.0.1:" + server.metricsPort() + "/metrics"));
  }

  /** What the server logged. */
  String log() {
    return server.errors();
  }

  /** Whether nearly all of the last half second was decided by Redis. */
  private boolean redisDecides() {
    int lately = PER_SECOND / 2;
    int answers = load.answers();
    return answers > lately
        && load.endedSince(answers - lately).stream().filter(Call::degraded).count() < lately / 10;
  }

  /** Whether the bucket that all want is empty. */
  private boolean isScarce() {
    int answers = load.answers();
    return answers > PER_SECOND / 5
        && load.endedSince(answers - PER_SECOND / 5).stream()
                .filter(call -> isContended(call) && call.verdict() == Code.OK)
                .count()
            < PER_SECOND / 5 / CONTENDED_OF / 2;
  }

  private static boolean isContended(Call call) {
    return call.number() % CONTENDED_OF == 0;
  }

  /** Every call was answered and counted, and the server is no larger than it was. */
  void assertNothingIsLostAndNothingGrew() throws IOException {
    // On a slow machine some call may be late in each second, and then an outage goes on.
    within(Duration.ofMinutes(1)).until(() -> !isOutage());
    load.stop();
    eventually().until(() -> load.answers() == load.sent());
    List<Call> calls = load.ended();
    Exposition after = metrics();
    assertThat(calls).allMatch(call -> call.code() == Status.Code.OK);
    assertThat(calls.stream().filter(Call::degraded).count())
        .isEqualTo(growth(after, "sluice_local_decisions_total"));
    assertThat((long) calls.size()).isEqualTo(growth(after, "sluice_requests_total"));
    eventually().until(() -> sum(metrics(), UNDER_WAY) == 0);
    assertThat(heapInUse() - heapBefore).isLessThan(16L << 20);
    assertThat(resident(server.pid())).isLessThan(512L << 10);
    assertThat(log()).doesNotContain("ERROR", "Exception", "\tat ");
  }

  /** Whether the log has told of an outage and not of its end. */
  private boolean isOutage() {
    String log = log();
    return begun(log) > ENDS.matcher(log).results().count();
  }

  private static long begun(String log) {
    return log.lines().filter(line -> line.contains(BEGINS)).count();
  }

  private long growth(Exposition after, String series) {
    return sum(after, series + "{") - sum(before, series + "{");
  }

  private static long sum(Exposition page, String series) {
    return (long) page.beginning(series).values().stream().mapToDouble(it -> it).sum();
  }

  /** Bytes that live after a full collection. */
  private long heapInUse() throws IOException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process collection =
        new ProcessBuilder(jcmd, String.valueOf(server.pid()), "GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(collection.waitFor(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return (long) metrics().value("jvm_memory_bytes_used{area=\"heap\"}");
  }

  /** Kilobytes of memory that a process has. */
  private static long resident(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    load.close();
    server.close();
  }

  /**
   * What happens from now until it is over.
   *
   * @param name in the table of {@link FaultTimes}
   */
  Fault fault(String name) {
    eventually().until(() -> redisDecides() && isScarce());
    return new Fault(name);
  }

  final class Fault {
    private final String name;
    private final int begin = load.answers();
    private final long beginNanos = System.nanoTime();
    private final Exposition page = metrics();
    private final int logged = log().length();

    private Fault(String name) {
      this.name = name;
    }

    /** So many more calls end. */
    void isAnswered(int calls) {
      int now = load.answers();
      eventually().until(() -> load.answers() >= now + calls);
    }

    /**
     * So many more calls are decided here; meanwhile no more than usual wait for Redis. Where that
     * takes two seconds, the log has told of an outage that goes on.
     */
    void isAnsweredWithoutRedis(int calls) {
      long now = degraded();
      eventually().until(() -> degraded() >= now + calls);
      assertThat(sum(metrics(), UNDER_WAY)).isLessThan(2L * PER_SECOND);
      assertThat(calls < 2 * PER_SECOND || isOutage()).isTrue();
    }

    long degraded() {
      return load.endedSince(begin).stream().filter(Call::degraded).count();
    }

    /**
     * Its cause is gone. Redis decides again soon, and all was as it should be meanwhile.
     *
     * @param refills how often the bucket of all may have been full again
     */
    void isOver(int refills) {
      long overNanos = System.nanoTime();
      long length = overNanos - beginNanos;
      eventually().until(() -> firstByRedis(overNanos).isPresent());
      FaultTimes times =
          FaultTimes.until(
              firstByRedis(overNanos).orElseThrow(), load.endedSince(begin), overNanos);
      times.note(name);
      assertThat(times.back()).isLessThan(SOON);
      eventually().until(UnderLoad.this::isScarce);
      List<Call> calls = load.endedSince(begin);
      assertThat(calls).allMatch(call -> call.code() == Status.Code.OK);
      assertThat(calls.stream().filter(call -> !isContended(call)))
          .allMatch(call -> call.verdict() == Code.OK);
      assertThat(calls.stream().filter(call -> call.nanos() < PROMPTLY.toNanos()).count())
          .isGreaterThan(calls.size() * 9L / 10);
      assertThat(admittedBeyond(calls)).isLessThanOrEqualTo(refills * BURST + IN_TRANSIT);
      assertLogTells(Duration.ofNanos(length));
    }

    private OptionalInt firstByRedis(long overNanos) {
      return FaultTimes.firstByRedis(load.endedSince(begin), overNanos, PER_SECOND / 2);
    }

    /** What passed of the scarce, at the worst, beyond what came back since the begin. */
    private long admittedBeyond(List<Call> calls) {
      LeakyMeter meter = new LeakyMeter(SCARCE);
      meter.admit(TimeUnit.NANOSECONDS.toMicros(beginNanos), BURST);
      calls.stream()
          .filter(call -> isContended(call) && call.verdict() == Code.OK)
          .map(call -> Math.max(beginNanos, call.beganNanos() + call.nanos()))
          .sorted(Comparator.naturalOrder())
          .forEach(at -> meter.admit(TimeUnit.NANOSECONDS.toMicros(at), 1));
      return meter.overshoot();
    }

    /** An outage that the log tells of ended soon after the fault, or goes on as a slight one. */
    private void assertLogTells(Duration length) {
      assertThat(told().lines().count()).isLessThanOrEqualTo(10);
      assertThat(begins()).isLessThanOrEqualTo(2);
      if (begins() == 0) {
        return;
      }
      assertThat(begins()).isBetween(ends().count(), ends().count() + 1);
      assertThat(ends().mapToDouble(end -> Double.parseDouble(end.group(1))).sum())
          .isLessThan(length.plus(AFTERMATH).toMillis() / 1e3);
    }

    private long begins() {
      return begun(told());
    }

    /** Of outages that began meanwhile. */
    private Stream<MatchResult> ends() {
      String told = told();
      return ENDS.matcher(told.substring(Math.max(0, told.indexOf(BEGINS)))).results();
    }

    /** What the log says since it began. */
    String told() {
      return log().substring(logged);
    }

    long failures(String reason) {
      return failures().getOrDefault(reason, 0L);
    }

    /** How many calls Redis did not decide since it began, by reason. */
    Map<String, Long> failures() {
      Map<String, Long> failures = new TreeMap<>();
      metrics()
          .beginning("sluice_redis_failures_total{")
          .forEach(
              (series, value) -> {
                long since = (long) (value - page.value(series));
                if (since > 0) {
                  failures.put(series.replaceAll(".*\"(.*)\".*", "$1"), since);
                }
              });
      return failures;
    }
  }
}
