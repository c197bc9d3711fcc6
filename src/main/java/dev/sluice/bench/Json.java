package dev.sluice.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a benchmark found, as JSON: an object for each part, with one for each scenario. */
final class Json {
  private Json() {}

  static String of(List<Figures> parts) {
    return parts.stream()
        .map(part -> "  " + quoted(part.name()) + ": {" + System.lineSeparator() + rows(part) + "}")
        .collect(
            Collectors.joining(
                "," + System.lineSeparator(),
                "{" + System.lineSeparator(),
                System.lineSeparator() + "}"));
  }

  private static String rows(Figures part) {
    return part.rows().stream()
            .map(row -> "    " + quoted(row.name()) + ": {" + figures(row) + "}")
            .collect(Collectors.joining("," + System.lineSeparator()))
        + System.lineSeparator()
        + "  ";
  }

  private static String figures(Figures.Row row) {
    return row.figures().entrySet().stream()
        .filter(figure -> Double.isFinite(figure.getValue()))
        .map(
            figure ->
                quoted(figure.getKey())
                    + ": "
                    + String.format(Locale.ROOT, "%.4f", figure.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** Names are ours, and have nothing in them that JSON would escape. */
  private static String quoted(String name) {
    return '"' + name + '"';
  }
}
