package dev.sluice.rulefile;

/**
 * A place in a rule file.
 *
 * @param file its name
 * @param line from 1
 * @param column from 1
 */
public record Place(String file, int line, int column) {
  @Override
  public String toString() {
    return file + ":" + line + ":" + column;
  }
}
