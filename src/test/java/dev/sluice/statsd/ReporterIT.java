package dev.sluice.statsd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.sluice.testing.RecordedLog;
import dev.sluice.testing.StatsdListener;
import dev.sluice.transport.EventLoops;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.slf4j.LoggerFactory;

/** A reporter and real sockets. */
@ResourceLock("the log of Reporter")
final class ReporterIT {
  private static final Duration OFTEN = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofSeconds(10);

  private final EventLoops loops = new EventLoops(1);
  private final Logger logger = (Logger) LoggerFactory.getLogger(Reporter.class);
  private final RecordedLog log = RecordedLog.of(Reporter.class.getName());
  private final AtomicLong counted = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final List<Reporter> begun = new ArrayList<>();
  private int linesEachTime = 1;

  @BeforeEach
  void listen() {
    logger.setLevel(Level.INFO);
  }

  @AfterEach
  void end() {
    logger.setLevel(null);
    begun.forEach(Reporter::close);
    loops.close();
    log.close();
  }

  private void tell(Stats.Hearer hearer) {
    long more = counted.getAndSet(0);
    for (int i = 0; i < linesEachTime && more > 0; i++) {
      hearer.count("counted." + i, more);
    }
    hearer.gauge("level", 7);
    hearer.times("time", new long[] {0, 2});
  }

  private Reporter reporter(int port, Target.Protocol protocol, boolean expected) {
    Reporter reporter =
        new Reporter(
            this::tell,
            new Reporter.Sink(
                new Target("localhost", port, protocol), Format.statsd(List.of()), expected),
            loops,
            (some, none) -> {
              sent.addAndGet(some);
              dropped.addAndGet(none);
            });
    reporter.start(OFTEN);
    begun.add(reporter);
    return reporter;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Test
  void linesGoOverOneConnection() {
    counted.set(3);
    try (StatsdListener statsd = StatsdListener.tcp()) {
      var unused = reporter(statsd.port(), Target.Protocol.TCP, true);
      statsd.awaitLine("counted.0:3|c");
      counted.set(4);
      statsd.awaitCounter("counted.0", 7);
      assertThat(statsd.lines()).contains("level:7|g", "time:1|ms");
      assertThat(statsd.connections()).isEqualTo(1);
      assertThat(log.count("Metrics go to statsd at localhost:" + statsd.port())).isEqualTo(1);
      assertThat(dropped).hasValue(0);
    }
  }

  @Test
  void whatIsLeftIsSentAtTheEnd() {
    try (StatsdListener statsd = StatsdListener.tcp()) {
      Reporter last = reporter(statsd.port(), Target.Protocol.TCP, true);
      statsd.awaitLine("level:7|g");
      counted.set(5);
      last.close();
      statsd.awaitCounter("counted.0", 5);
    }
  }

  @Test
  void datagramsCarryWholeLinesAndFitEthernet() {
    linesEachTime = 500;
    counted.set(1);
    try (StatsdListener statsd = StatsdListener.udp()) {
      var unused = reporter(statsd.port(), Target.Protocol.UDP, true);
      statsd.awaitLine("counted.499:1|c");
      assertThat(statsd.sizes()).hasSizeGreaterThan(4).allMatch(it -> it <= 1_432);
      assertThat(statsd.counters().values()).hasSize(500).allMatch(it -> it == 1);
    }
  }

  @Test
  void muchIsSentInPiecesAndNothingOfItIsLost() {
    linesEachTime = 50_000;
    counted.set(1);
    try (StatsdListener statsd = StatsdListener.tcp()) {
      var unused = reporter(statsd.port(), Target.Protocol.TCP, true);
      statsd.awaitLine("counted.49999:1|c");
      assertThat(statsd.counters()).hasSize(50_000);
    }
  }

  @Test
  void whereNobodyIsExpectedNobodyIsMissedAndNothingIsKept() throws IOException {
    int port = freePort();
    counted.set(9);
    var unused = reporter(port, Target.Protocol.TCP, false);
    await().atMost(LONG).until(() -> dropped.get() > 10);
    assertThat(log.count("")).isZero();
    try (StatsdListener statsd = StatsdListener.tcp(port)) {
      statsd.awaitLine("level:7|g");
      counted.set(1);
      statsd.awaitCounter("counted.0", 1);
    }
  }

  @Test
  void aSinkThatIsLostAndBackIsTwoLinesOfTheLog() {
    StatsdListener first = StatsdListener.tcp();
    int port = first.port();
    var unused = reporter(port, Target.Protocol.TCP, true);
    first.awaitLine("level:7|g");
    first.close();
    await().atMost(LONG).until(() -> log.contains("No metrics go to statsd at localhost:"));
    long before = dropped.get();
    await().atMost(LONG).until(() -> dropped.get() > before + 20);
    try (StatsdListener second = StatsdListener.tcp(port)) {
      second.awaitLine("level:7|g");
      await().atMost(LONG).until(() -> log.count("Metrics go to statsd at") == 2);
      assertThat(log.count("")).isEqualTo(3);
    }
  }

  @Test
  void aSinkThatTakesConnectionsAndNoLinesHoldsUpNobody() throws Exception {
    linesEachTime = 20_000;
    try (ServerSocket frozen = new ServerSocket(0)) {
      var unused = reporter(frozen.getLocalPort(), Target.Protocol.TCP, true);
      await()
          .atMost(LONG)
          .until(
              () -> {
                counted.set(1);
                return log.contains("nothing happened for a second");
              });
      assertThat(dropped).hasPositiveValue();
      assertThat(loops.group().submit(() -> 1).get(5, TimeUnit.SECONDS)).isEqualTo(1);
    }
  }

  @Test
  void oneThatIsExpectedAndNotThereIsALine() throws IOException {
    var unused = reporter(freePort(), Target.Protocol.TCP, true);
    await().atMost(LONG).until(() -> dropped.get() > 20);
    assertThat(log.count("No metrics go to statsd at localhost:")).isEqualTo(1);
    assertThat(log.count("")).isEqualTo(1);
  }

  @Test
  void datagramsThatNobodyTakesAreNoTrouble() throws IOException {
    linesEachTime = 200;
    var unused = reporter(freePort(), Target.Protocol.UDP, true);
    await()
        .atMost(LONG)
        .until(
            () -> {
              counted.set(1);
              return sent.get() > 100 && dropped.get() > 100;
            });
    assertThat(log.count("")).isEqualTo(1);
  }
}
