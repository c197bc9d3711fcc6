package dev.sluice.rule;

import static dev.sluice.rule.SampleRules.NOTHING;
import static dev.sluice.rule.SampleRules.book;
import static dev.sluice.rule.SampleRules.entries;
import static dev.sluice.rule.SampleRules.leaf;
import static dev.sluice.rule.SampleRules.root;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rule.Trace.Choice;
import dev.sluice.rule.Trace.Step;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class TraceTest {
  private final RuleBook rules =
      book(
          root()
              .child("a", "b", Naming.PLAIN, root().child("c", "", Naming.PLAIN, leaf("c")).build())
              .child("a", "b*", Naming.SHARED, leaf("pattern"))
              .child("a", "", Naming.PLAIN, leaf("any"))
              .child("c*", "", Naming.PLAIN, NOTHING));

  @Test
  void everyLevelSaysWhatWasChosenAndHow() {
    assertThat(steps("a=b", "c=x"))
        .containsExactly(
            Optional.of(new Step(Choice.EXACT, new Entry("a", "b"))),
            Optional.of(new Step(Choice.ANY_VALUE, new Entry("c", ""))));
    assertThat(steps("a=bc"))
        .containsExactly(Optional.of(new Step(Choice.PATTERN, new Entry("a", "b*"))));
    assertThat(steps("cc=x"))
        .containsExactly(Optional.of(new Step(Choice.PATTERN, new Entry("c*", ""))));
  }

  @Test
  void theLastLevelSaysThatNothingFittedAndWhatThereWas() {
    Trace trace = rules.trace("d", entries("a=b", "x=y", "z=z"));

    assertThat(trace.levels()).hasSize(2);
    assertThat(trace.levels().get(1))
        .isEqualTo(
            new Trace.Level(new Entry("x", "y"), Optional.empty(), List.of(new Entry("c", ""))));
  }

  @Test
  void whatIsBelowThePlaceThatWasReachedIsSaid() {
    assertThat(rules.trace("d", entries("a=b")).below()).containsExactly(new Entry("c", ""));
    assertThat(rules.trace("d", entries("cc=b")).below()).isEmpty();
    assertThat(rules.trace("d", List.of()).below()).hasSize(4);
    assertThat(rules.trace("other", entries("a=b")))
        .isEqualTo(new Trace(List.of(), List.of(), new Match.UnknownDomain()));
  }

  @Property
  void aTraceFindsWhatAnyOtherSearchFinds(
      @ForAll @Size(max = 3)
          List<@Chars({'a', 'b', 'c'}) @StringLength(min = 2, max = 3) String> texts) {
    List<Entry> path =
        texts.stream().map(it -> new Entry(it.substring(0, 1), it.substring(1))).toList();

    assertThat(rules.trace("d", path).match()).isEqualTo(rules.find("d", path));
  }

  private List<Optional<Step>> steps(String... entries) {
    return rules.trace("d", entries(entries)).levels().stream().map(Trace.Level::step).toList();
  }
}
