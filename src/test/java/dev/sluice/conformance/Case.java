package dev.sluice.conformance;

import java.util.List;
import java.util.Map;

/**
 * Rules, and what a server that has them answers to calls one after the other.
 *
 * @param id short, unique
 * @param title a sentence
 * @param files rule files by name
 * @param settings of the server by variable
 * @param steps in order
 */
record Case(
    String id,
    String title,
    Map<String, String> files,
    Map<String, String> settings,
    List<Step> steps) {

  /**
   * Reads a case.
   *
   * @param standard what holds where the case itself says nothing
   * @throws IllegalArgumentException if a step is not for machines
   */
  static Case read(Value value, Value standard) {
    String domain = or(value, standard, "domain").textOr("");
    List<Step> steps =
        value.get("steps").items().stream().map(step -> Step.read(step, domain)).toList();
    return new Case(
        value.get("id").text(),
        value.get("title").text(),
        or(value, standard, "files").texts(),
        or(value, standard, "settings").texts(),
        steps);
  }

  private static Value or(Value value, Value standard, String key) {
    return value.get(key).isAbsent() ? standard.get(key) : value.get(key);
  }

  String displayName() {
    return id + ": " + title;
  }
}
