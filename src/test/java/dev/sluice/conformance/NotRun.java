package dev.sluice.conformance;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The one list of conformance cases that are not run from their files, and why. */
final class NotRun {
  private static final String CLOCK =
      "the steps need a server of another time; ArchitectureTest (onlyTheseKnowTheTimeOfDay) holds"
          + " that none is asked for a decision by Redis";

  /** Why a case is not run, by its id. */
  static final Map<String, String> REASONS = reasons();

  private NotRun() {}

  private static Map<String, String> reasons() {
    Map<String, String> reasons = new LinkedHashMap<>();
    heldBy(reasons, "RateOverTimeTest, by a clock of its own", "C38", "C39", "C40");
    heldBy(reasons, "FaultsIT", "C61", "C64");
    heldBy(reasons, "FailurePolicyIT", "C65");
    heldBy(reasons, "ClusterIT and FailoverIT", "C66");
    add(reasons, CLOCK, List.of("C69"));
    heldBy(reasons, "RedisFailoverIT", "C71");
    heldBy(reasons, "ReferenceIT, case 66", "C35");
    heldBy(reasons, "RedisTroubleIT, with two servers and 64 callers", "C41");
    heldBy(reasons, "ReloadUnderLoadIT", "C44");
    heldBy(reasons, "RuleWatchTest and IsolatedDomainsTest", "C46");
    heldBy(reasons, "SluiceTest (check) and SluiceProcessIT", "C47");
    heldBy(reasons, "MergedDomainsTest", "C48");
    heldBy(reasons, "RuleWatchTest", "C50");
    heldBy(reasons, "BadRuleFilesTest", "C55");
    heldBy(reasons, "RedisTroubleIT", "C58", "C59", "C62", "C63", "C67");
    heldBy(reasons, "SluiceProcessIT and EnvoyOutageIT, with one replica", "C72");
    heldBy(reasons, "MetricsIT", "C75");
    heldBy(reasons, "ManyRulesIT", "C57");
    heldBy(reasons, "CardinalityTest", "C73");
    heldBy(reasons, "QuietLogIT, with fewer calls", "C76");
    heldBy(reasons, "HashedValuesIT, with two replicas", "C78");
    return Map.copyOf(reasons);
  }

  /** Cases whose steps are for people, and the tests that take them. */
  private static void heldBy(Map<String, String> reasons, String tests, String... ids) {
    add(
        reasons,
        "its steps are for people; the tests that take them are in " + tests,
        List.of(ids));
  }

  private static void add(Map<String, String> reasons, String reason, List<String> ids) {
    ids.forEach(id -> reasons.put(id, reason));
  }
}
