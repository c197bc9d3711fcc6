package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testing.Exposition;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.SluiceProcess;
import dev.sluice.testing.YamlTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Alerts and the dashboard ask only for series that there are. */
final class DashboardsIT {
  private static final Path ALERTS = SluiceProcess.PROJECT.resolve("deploy/prometheus/alerts.yaml");
  private static final Path DASHBOARD =
      SluiceProcess.PROJECT.resolve("deploy/grafana/dashboard.json");
  private static final Path README = SluiceProcess.PROJECT.resolve("README.md");
  private static final Pattern SERIES =
      Pattern.compile("\\b((?:ratelimit|sluice|jvm|process)_[a-z0-9_]+)(?:\\{([^}]*)})?");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

  private static RedisProcess redis;
  private static InProcessServer server;

  @BeforeAll
  static void start() {
    redis = RedisProcess.start();
    server =
        InProcessServer.of(
            Map.of(
                "d.yaml",
                """
                domain: d
                descriptors: [{key: k, rate_limit: {unit: day, requests_per_unit: 1}}]
                """),
            Map.of("REDIS_URL", redis.url()));
  }

  @AfterAll
  static void stop() {
    server.close();
    redis.close();
  }

  @Test
  void alertsAskForSeriesThatThereAre() {
    List<String> expressions = new ArrayList<>();
    for (YamlTree rule : YamlTree.documents(ALERTS).get(0).at("groups", 0, "rules").items()) {
      assertThat(rule.at("alert").text()).startsWith("Sluice");
      assertThat(rule.at("labels", "severity").text()).isIn("info", "warning", "critical");
      assertThat(rule.at("annotations", "summary").text()).isNotEmpty();
      assertThat(rule.at("annotations", "description").text()).isNotEmpty();
      expressions.add(rule.at("expr").text());
    }
    assertThat(expressions).hasSizeGreaterThanOrEqualTo(6).allSatisfy(DashboardsIT::isAnswered);
  }

  @Test
  void theDashboardAsksForSeriesThatThereAre() {
    List<String> expressions = new ArrayList<>();
    Set<Integer> ids = new TreeSet<>();
    for (YamlTree panel : YamlTree.documents(DASHBOARD).get(0).at("panels").items()) {
      assertThat(ids.add((Integer) panel.at("id").value())).isTrue();
      panel.at("targets").items().forEach(it -> expressions.add(it.at("expr").text()));
    }
    assertThat(expressions).isNotEmpty().allSatisfy(DashboardsIT::isAnswered);
  }

  @Test
  void thePageHasWhatTheReadmeNamesAndNothingElse() throws Exception {
    String readme = Files.readString(README);
    String section = readme.substring(readme.indexOf("\n## Metrics"));
    section = section.substring(0, section.indexOf("\n## ", 1));
    Set<String> told = new TreeSet<>();
    Matcher row =
        Pattern.compile("(?m)^\\| `((?:ratelimit|sluice)_[a-zA-Z_]+)([^|]*)").matcher(section);
    while (row.find()) {
      String name = row.group(1);
      told.add(name);
      // Those that share a row are told by how their names end.
      Matcher more = Pattern.compile("`…(_[a-zA-Z_]+)").matcher(row.group(2));
      while (more.find()) {
        String start = name.replaceFirst("(_cx)?_[a-zA-Z]+$", "");
        told.add(start + more.group(1));
      }
    }
    Set<String> there = new TreeSet<>();
    for (String name : Exposition.at(server.metrics("/metrics")).names()) {
      if (name.startsWith("ratelimit_") || name.startsWith("sluice_")) {
        there.add(name.replaceAll("(_seconds|_size|_ratio)_(bucket|sum|count)$", "$1"));
      }
    }
    assertThat(there).isEqualTo(told);
  }

  /** Whether the page has every series that an expression names, with the labels it asks for. */
  private static void isAnswered(String expression) {
    Exposition page = Exposition.at(server.metrics("/metrics"));
    Matcher series = SERIES.matcher(expression);
    boolean some = false;
    while (series.find()) {
      String labels = series.group(2) == null ? "" : series.group(2);
      List<String> wanted = LABEL.matcher(labels).results().map(it -> it.group()).toList();
      assertThat(page.samples().keySet())
          .as(expression)
          .anyMatch(
              it ->
                  it.replaceAll("\\{.*", "").equals(series.group(1))
                      && wanted.stream().allMatch(it::contains));
      some = true;
    }
    assertThat(some).as(expression).isTrue();
    assertThat(expression.chars().filter(c -> c == '(').count())
        .isEqualTo(expression.chars().filter(c -> c == ')').count());
  }
}
