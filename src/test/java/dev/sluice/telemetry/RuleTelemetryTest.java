package dev.sluice.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sluice.rule.RuleBook;
import dev.sluice.rule.RuleNode;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.Place;
import dev.sluice.rulefile.Problem;
import dev.sluice.rulefile.Warning;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.slf4j.LoggerFactory;

@ResourceLock("the log of RuleTelemetry")
class RuleTelemetryTest {
  private static final RuleBook RULES = new RuleBook(Map.of("aa", RuleNode.builder().build()));

  private final Logger logger = (Logger) LoggerFactory.getLogger(RuleTelemetry.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Metrics metrics = new Metrics();
  private final RuleTelemetry telemetry =
      new RuleTelemetry(
          metrics, new RuleSeries(metrics, new SeriesBudget(100), 0.8f), InstantSource.system());

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
    logger.setAdditive(false);
  }

  @AfterEach
  void listenNoLonger() {
    logger.setAdditive(true);
    logger.detachAppender(log);
  }

  @Test
  void aWarningIsALine() {
    telemetry.loaded(new Loading.Loaded(RULES, warnings(1)));

    assertThat(warned()).containsExactly("a.yaml:1:2: warning: it has no effect");
    assertThat(loads("success")).isEqualTo(1);
  }

  @Test
  void moreWarningsThanAnybodyReadsAreCounted() {
    telemetry.loaded(new Loading.Loaded(RULES, warnings(60)));

    assertThat(warned()).hasSize(51);
    assertThat(warned()).last().isEqualTo("… and 10 more; `sluice check` lists them all.");
  }

  @Test
  void aLoadThatIsGoodInPartNamesTheDomainsThatAreNot() {
    Problem problem = new Problem(new Place.InFile("b.yaml", 3, 4), "it is wrong");

    telemetry.isolated(
        new Loading.Isolated(RULES, List.of(problem), Set.of("bb"), Set.of("cc"), warnings(1)));

    assertThat(warned())
        .containsExactly(
            "Problems in the rules: 1. The domains [bb] keep their last good rules, [cc] have"
                + " none until they are mended, and the others are taken.",
            "b.yaml:3:4: it is wrong",
            "a.yaml:1:2: warning: it has no effect");
    assertThat(loads("partial")).isEqualTo(1);
    assertThat(loads("success")).isZero();
    assertThat(loads("error")).isZero();
  }

  private static List<Warning> warnings(int number) {
    return IntStream.rangeClosed(1, number)
        .mapToObj(line -> new Warning(new Place.InFile("a.yaml", line, 2), "it has no effect"))
        .toList();
  }

  private List<String> warned() {
    return log.list.stream()
        .filter(event -> event.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  private double loads(String result) {
    return metrics
        .registry()
        .getSampleValue("sluice_rule_loads_total", new String[] {"result"}, new String[] {result});
  }
}
