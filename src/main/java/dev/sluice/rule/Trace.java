package dev.sluice.rule;

import java.util.List;
import java.util.Optional;

/**
 * How a descriptor was looked for in a rule book, for people.
 *
 * @param levels those that were tried, outermost first; the last one may be where the search ended
 * @param below what the place that was reached leads on to, as it is written in the file
 * @param match what was found
 */
public record Trace(List<Level> levels, List<Entry> below, Match match) {
  /** How a way was chosen. */
  public enum Choice {
    /** Key and value are written as they were sent. */
    EXACT,
    /** The first pattern of the file that fits. */
    PATTERN,
    /** The key is written without a value. */
    ANY_VALUE
  }

  /**
   * The way that was chosen.
   *
   * @param written its key and value in the file
   */
  public record Step(Choice choice, Entry written) {}

  /**
   * One level.
   *
   * @param entry that was sent
   * @param step that was taken, if any
   * @param offered all that there were, as they are written in the file
   */
  public record Level(Entry entry, Optional<Step> step, List<Entry> offered) {}
}
