package dev.sluice.rule;

import static dev.sluice.rule.SampleRules.NOTHING;
import static dev.sluice.rule.SampleRules.SOME;
import static dev.sluice.rule.SampleRules.book;
import static dev.sluice.rule.SampleRules.entries;
import static dev.sluice.rule.SampleRules.root;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rule.Rule.Conduct;
import dev.sluice.rule.Rule.Label;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What metrics are kept under; cases 8 to 14 and 31 to 40 of the notes on the reference server. To
 * make the names fit for a metric is for telemetry.
 */
class RuleBookLabelsTest {
  private static final Naming TO_METRIC = new Naming(false, true, false);
  private static final Naming SHARED_TO_METRIC = new Naming(true, true, false);

  /** A level on the way to a rule. */
  private record Level(String key, String value, Naming naming) {}

  @Test
  void aLabelSaysWhatTheFileSays() {
    assertThat(label(false, "k=v", level("k", ""))).containsExactly("k");
    assertThat(label(false, "k=v", level("k", "v"))).containsExactly("k_v");
    assertThat(label(false, "k=foo1", level("k", "foo*"))).containsExactly("k_foo*");
    assertThat(
            label(false, "nested=val1,wild=goo2", level("nested", "val1"), level("wild", "goo*")))
        .containsExactly("nested_val1", "wild_goo*");
  }

  @Test
  void levelsThatShareHaveTheirPattern() {
    assertThat(
            label(
                false,
                "files=top/1,files=nested/1",
                shared("files", "top/*"),
                shared("files", "nested/*")))
        .containsExactly("files_top/*", "files_nested/*");
    assertThat(
            label(
                false,
                "path=path/1,file=file/a,type=t",
                shared("path", "path/*"),
                level("file", "file/*"),
                level("type", "")))
        .containsExactly("path_path/*", "file_file/*", "type");
  }

  @Test
  void aPatternThatSharesGoesBeforeTheValueOfTheRequest() {
    Level route = new Level("route", "api/*", SHARED_TO_METRIC);

    assertThat(label(false, "route=api/1,method=GET", route, level("method", "")))
        .containsExactly("route_api/*", "method");
  }

  @Test
  void aDetailedLabelKeepsThePatternOfALevelThatShares() {
    assertThat(
            label(
                true,
                "service=svc/user,endpoint=get",
                shared("service", "svc/*"),
                level("endpoint", "")))
        .containsExactly("service_svc/*", "endpoint_get");
    assertThat(
            label(
                true,
                "service=svc/user,endpoint=",
                shared("service", "svc/*"),
                level("endpoint", "")))
        .containsExactly("service_svc/*", "endpoint");
  }

  @Test
  void theValueOfTheRequestIsSaidWhereTheFileAsksForIt() {
    Level[] path = {
      new Level("route", "", TO_METRIC),
      new Level("http_method", "", TO_METRIC),
      level("subject_id", "")
    };

    assertThat(label(false, "route=draw,http_method=GET,subject_id=123", path))
        .containsExactly("route_draw", "http_method_GET", "subject_id");
    assertThat(label(false, "route=,http_method=GET,subject_id=123", path))
        .containsExactly("route", "http_method_GET", "subject_id");
  }

  @Test
  void onlyTheLevelThatAsksForItSaysTheValueOfTheRequest() {
    assertThat(
            label(
                false,
                "k1=X,k2=Y,k3=Z",
                level("k1", ""),
                new Level("k2", "", TO_METRIC),
                level("k3", "")))
        .containsExactly("k1", "k2_Y", "k3");
    assertThat(
            label(
                false,
                "user=alice,wild=foo1",
                new Level("user", "", TO_METRIC),
                level("wild", "foo*")))
        .containsExactly("user_alice", "wild_foo*");
  }

  @Test
  void aValueToMetricOnAnExactValueOrAPatternSaysTheValueOfTheRequest() {
    assertThat(label(false, "http_method=GET", new Level("http_method", "GET", TO_METRIC)))
        .containsExactly("http_method_GET");
    assertThat(label(false, "action=readfile", new Level("action", "read*", TO_METRIC)))
        .containsExactly("action_readfile");
  }

  @Test
  void aDetailedRuleSaysEveryValueOfTheRequest() {
    Level route = new Level("route", "", TO_METRIC);
    Level[] path = {route, level("subject", "s*"), level("id", "")};

    assertThat(label(true, "route=draw,subject=s1,id=123", path))
        .containsExactly("route_draw", "subject_s1", "id_123");
    assertThat(label(true, "route=,subject=s1,id=", path))
        .containsExactly("route_", "subject_s1", "id_");
  }

  @Test
  void aPatternInTheKeyIsSaidAsWrittenUnlessTheRequestsIsAskedFor() {
    assertThat(label(false, "user_id=7", level("user*", ""))).containsExactly("user*");
    assertThat(label(false, "user_id=7", shared("user*", ""))).containsExactly("user*");
    assertThat(label(false, "user_id=7", new Level("user*", "", TO_METRIC)))
        .containsExactly("user_id_7");
    assertThat(label(true, "user_id=7", level("user*", ""))).containsExactly("user_id_7");
  }

  @Test
  void aLabelIsNotMadeFitForAMetricHere() {
    assertThat(label(true, "path_/foo:*:bar=a|b.c", level("path_/foo:*:bar", "")))
        .containsExactly("path_/foo:*:bar_a|b.c");
  }

  @Test
  void levelsWithoutARuleHaveNoLabel() {
    RuleBook rules = book(root().child("k", "", TO_METRIC, NOTHING));

    assertThat(rules.find("d", entries("k=v"))).isInstanceOf(Match.NoRule.class);
  }

  private static Level level(String key, String value) {
    return new Level(key, value, Naming.PLAIN);
  }

  private static Level shared(String key, String value) {
    return new Level(key, value, Naming.SHARED);
  }

  private static List<String> label(boolean detailed, String request, Level... path) {
    List<String> written =
        List.of(path).stream().map(it -> new Entry(it.key, it.value).label()).toList();
    Rule rule =
        new Rule(
            "rule", "", SOME, Conduct.PLAIN, Set.of(), Metadata.NONE, new Label(written, detailed));
    RuleNode node = RuleNode.builder().rule(rule).build();
    for (int i = path.length - 1; i > 0; i--) {
      node = root().child(path[i].key, path[i].value, path[i].naming, node).build();
    }
    RuleBook rules = book(root().child(path[0].key, path[0].value, path[0].naming, node));
    Match match = rules.find("d", entries(request.split(",", -1)));
    assertThat(match).isInstanceOf(Match.Found.class);
    return ((Match.Found) match).label();
  }
}
