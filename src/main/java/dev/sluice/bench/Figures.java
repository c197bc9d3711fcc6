package dev.sluice.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One part of what a benchmark found: a table with a line for each scenario.
 *
 * @param name of the part, for programs
 * @param title of the part, for people
 */
record Figures(String name, String title, List<Column> columns, List<Row> rows) {
  private static final int NAME_WIDTH = 34;
  private static final int WIDTH = 13;

  /** An empty table. */
  static Figures of(String name, String title, Column... columns) {
    return new Figures(name, title, List.of(columns), new ArrayList<>());
  }

  /**
   * A figure of each line.
   *
   * @param name for programs
   * @param title for people, with the unit
   * @param decimals that are shown
   */
  record Column(String name, String title, int decimals) {}

  /** The figures of one scenario, by column; those that are not known are missing. */
  record Row(String name, Map<String, Double> figures) {}

  /** Adds a line. */
  Row add(String scenario) {
    Row row = new Row(scenario, new LinkedHashMap<>());
    rows.add(row);
    return row;
  }

  /** The table as lines for people. */
  String text() {
    StringBuilder text = new StringBuilder(title).append(System.lineSeparator());
    text.append(" ".repeat(NAME_WIDTH));
    columns.forEach(column -> text.append(right(column.title())));
    text.append(System.lineSeparator());
    for (Row row : rows) {
      text.append(String.format(Locale.ROOT, "%-" + NAME_WIDTH + "s", row.name()));
      columns.forEach(column -> text.append(right(figure(row, column))));
      text.append(System.lineSeparator());
    }
    return text.toString();
  }

  private static String right(String text) {
    return String.format(Locale.ROOT, "%" + WIDTH + "s", text);
  }

  private static String figure(Row row, Column column) {
    Double figure = row.figures().get(column.name());
    return isKnown(figure)
        ? String.format(Locale.ROOT, "%,." + column.decimals() + "f", figure)
        : "-";
  }

  private static boolean isKnown(@Nullable Double figure) {
    return figure != null && Double.isFinite(figure);
  }
}
