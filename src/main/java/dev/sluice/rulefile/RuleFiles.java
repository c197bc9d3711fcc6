package dev.sluice.rulefile;

import dev.sluice.rule.RuleBook;
import java.util.List;

/** Reads a set of rules as a whole: all of it, or nothing with every problem. */
public final class RuleFiles {
  private RuleFiles() {}

  /**
   * Reads the parts of a set, in this order. No files at all are a problem too, since they would
   * mean that nothing is limited.
   */
  public static Loading read(String directory, List<RuleText> texts, RuleOptions options) {
    if (isMissing(texts, options)) {
      return nothing(directory);
    }
    RuleSet set = RuleSet.read(texts, options);
    List<Problem> problems = set.problems();
    return problems.isEmpty()
        ? new Loading.Loaded(new RuleBook(set.goodDomains(), options.hash()), set.warnings())
        : new Loading.Rejected(problems, set.warnings());
  }

  /** Whether there are no texts where some were expected. */
  static boolean isMissing(List<RuleText> texts, RuleOptions options) {
    return texts.isEmpty() && options.origin() == RuleOptions.Origin.FILES;
  }

  static Loading nothing(String directory) {
    String text = "there are no rule files (expected at least one *.yaml or *.yml)";
    return new Loading.Rejected(
        List.of(new Problem(new Place.InFile(directory, 1, 1), text)), List.of());
  }
}
