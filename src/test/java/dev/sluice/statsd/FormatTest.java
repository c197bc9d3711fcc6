package dev.sluice.statsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** How lines are written. The numbers are those of the reference server's cases. */
final class FormatTest {
  private static final Tag FOO = new Tag("foo", "bar");
  private static final Tag A = new Tag("a", "b");

  private static Mogrifier mogrifier(String pattern, String name, Tag... tags) {
    return new Mogrifier(Pattern.compile(pattern), name, List.of(tags));
  }

  private static String dog(List<Mogrifier> mogrifiers, String name) {
    return Format.dogStatsd(List.of(FOO, A), mogrifiers).line(name, "1|c").strip();
  }

  @Test
  void tagsStandInTheNameInTheOrderOfTheirKeys126() {
    assertThat(Format.statsd(List.of(FOO, A)).line("basic.key1.total_hits", "1|c"))
        .isEqualTo("basic.key1.total_hits.__a=b.__foo=bar:1|c\n");
    assertThat(Format.statsd(List.of()).line("n", "3|ms")).isEqualTo("n:3|ms\n");
  }

  @Test
  void noTagEndsItsLineOrItsName() {
    assertThat(Format.statsd(List.of(new Tag("k\n.=", "1.2:3|c\nx=y"))).line("n", "1|c"))
        .isEqualTo("n.__k___=1_2_3_c_x=y:1|c\n");
    assertThat(Format.dogStatsd(List.of(new Tag("k,|", "a,b#c\nd")), List.of()).line("n", "1|c"))
        .isEqualTo("n:1|c|#k__:a_b_c_d\n");
  }

  @Test
  void dogStatsdHasTagsBehindTheValue133() {
    List<Tag> tags = List.of(new Tag("Y", "2"), new Tag("X", "1"));
    assertThat(Format.dogStatsd(tags, List.of()).line("a.b", "1|c"))
        .isEqualTo("a.b:1|c|#X:1,Y:2\n");
    assertThat(Format.dogStatsd(List.of(), List.of()).line("a.b", "1|c")).isEqualTo("a.b:1|c\n");
  }

  @Test
  void aMogrifierMakesNameAndTagsAfterThoseOfAllFigures133() {
    List<Mogrifier> made =
        List.of(
            mogrifier(
                "^ratelimit\\.(.*)\\.(.*)$",
                "custom.$2",
                new Tag("path", "$1"),
                new Tag("fixed", "f")));
    assertThat(dog(made, "ratelimit.d.k.total_hits"))
        .isEqualTo("custom.total_hits:1|c|#a:b,foo:bar,path:d.k,fixed:f");
    assertThat(dog(made, "ratelimit_server.Check.total_requests"))
        .isEqualTo("ratelimit_server.Check.total_requests:1|c|#a:b,foo:bar");
  }

  @Test
  void theFirstThatFindsItsPatternMakesTheName() {
    List<Mogrifier> made =
        List.of(mogrifier("none", "no"), mogrifier("b", "yes"), mogrifier("b", "late"));
    assertThat(dog(made, "a.b.c")).isEqualTo("yes:1|c|#a:b,foo:bar");
  }

  @Test
  void aGroupThatThereIsNotStaysAsItIsWritten() {
    List<Mogrifier> made = List.of(mogrifier("(x)|(a)", "[$0][$1][$2][$3][$999][$]"));
    assertThat(dog(made, "abc")).isEqualTo("[a][][a][$3][$999][$]:1|c|#a:b,foo:bar");
  }

  @Test
  void whatANameIsMadeOfEndsNoLine() {
    List<Mogrifier> made = List.of(mogrifier("a", "n:1|c\nother", new Tag("t", "u|#v")));
    assertThat(dog(made, "a")).isEqualTo("n_1_c_other:1|c|#a:b,foo:bar,t:u__v");
  }
}
