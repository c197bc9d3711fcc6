package dev.sluice.rulefile;

import java.util.List;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * What somebody should have written instead of what is not YAML.
 *
 * @param sign a part of what the parser says then
 * @param remedy what it expects, in the words of a person
 */
record Remedy(String sign, String remedy) {
  private static final List<Remedy> ALL =
      List.of(
          new Remedy("(TAB)", "spaces for indentation, never tabs"),
          new Remedy(" alias", "quotes around text that begins with '*'"),
          new Remedy("cannot start any token", "quotes around text that begins with such a one"),
          new Remedy("escape", "single quotes around text with a backslash"),
          new Remedy("quoted scalar", "a closing quote"),
          new Remedy("a flow ", "closing brackets and braces in their order"),
          new Remedy(
              "mapping values",
              "quotes around text that contains ': ', a space behind the ':' of a key"),
          new Remedy("a block ", "neighbours at the same indentation"));

  /** The remedy for an error; a general one where none is known. */
  static String forError(MarkedYAMLException error) {
    String said = error.getProblem() + " " + error.getContext();
    return ALL.stream()
        .filter(it -> said.contains(it.sign))
        .map(Remedy::remedy)
        .findFirst()
        .orElse("a document with a domain");
  }
}
