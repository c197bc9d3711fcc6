package dev.sluice.rulefile;

import java.util.Comparator;

/** A place in what rules are read from. */
public sealed interface Place {
  /** From the top of a file to its bottom. */
  Comparator<Place> DOWNWARD = Comparator.comparingInt(Place::line).thenComparingInt(Place::column);

  /** The name of the file, or of the resource. */
  String file();

  /** How far down it is. */
  int line();

  /** How far to the right it is, among places that are equally far down. */
  int column();

  /**
   * A place in a rule file.
   *
   * @param file its name
   * @param line from 1
   * @param column from 1
   */
  record InFile(String file, int line, int column) implements Place {
    @Override
    public String toString() {
      return file + ":" + line + ":" + column;
    }
  }

  /**
   * A place in a resource of a control plane.
   *
   * @param file the name of the resource
   * @param line how many values begin before it
   * @param path the way to it, such as {@code descriptors[0].rate_limit.unit}; empty for the whole
   */
  record InResource(String file, int line, String path) implements Place {
    @Override
    public int column() {
      return 1;
    }

    @Override
    public String toString() {
      return path.isEmpty() ? file : file + ": " + path;
    }
  }
}
