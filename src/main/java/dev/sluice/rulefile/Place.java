package dev.sluice.rulefile;

import java.util.Comparator;

/**
 * A place in a rule file.
 *
 * @param file its name
 * @param line from 1
 * @param column from 1
 */
public record Place(String file, int line, int column) {
  /** From the top of a file to its bottom. */
  static final Comparator<Place> DOWNWARD =
      Comparator.comparingInt(Place::line).thenComparingInt(Place::column);

  @Override
  public String toString() {
    return file + ":" + line + ":" + column;
  }
}
