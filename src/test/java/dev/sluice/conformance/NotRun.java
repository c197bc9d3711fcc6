package dev.sluice.conformance;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The one list of conformance cases that are not run from their files, and why. */
final class NotRun {
  private static final String CLOCK =
      "the steps wait for a second of a minute, and the answers are told by the algorithm";
  private static final String ELSEWHERE =
      "the steps are for people; what they ask is for the tests of rule files, settings and metrics";
  private static final String WORLD =
      "the steps break Redis, clocks or processes, which this driver has none of";
  private static final String LOAD = "the steps ask for a load and time that a build does not have";
  private static final String SECRETS = "values cannot be hashed yet";

  /** Why a case is not run, by its id. */
  static final Map<String, String> REASONS = reasons();

  private NotRun() {}

  private static Map<String, String> reasons() {
    Map<String, String> reasons = new LinkedHashMap<>();
    add(reasons, CLOCK, List.of("C38", "C39", "C40"));
    add(reasons, ELSEWHERE, List.of("C35", "C44", "C46", "C47", "C48", "C50", "C55", "C75"));
    add(
        reasons,
        WORLD,
        List.of(
            "C41", "C58", "C59", "C61", "C62", "C63", "C64", "C65", "C66", "C67", "C69", "C71",
            "C72"));
    add(reasons, LOAD, List.of("C57", "C73", "C76"));
    add(reasons, SECRETS, List.of("C78"));
    return Map.copyOf(reasons);
  }

  private static void add(Map<String, String> reasons, String reason, List<String> ids) {
    ids.forEach(id -> reasons.put(id, reason));
  }
}
