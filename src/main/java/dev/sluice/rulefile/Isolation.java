package dev.sluice.rulefile;

import dev.sluice.rule.Domain;
import dev.sluice.rule.RuleBook;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads sets of rule files one after the other, so that a domain with a problem keeps what it had.
 *
 * <p>A file with a problem is trouble for the domain that it names, and for the one that it named
 * when it was good last. Not thread-safe.
 */
final class Isolation {
  private final RuleOptions options;
  private Map<String, Domain> inForce = Map.of();
  private Map<String, String> domainsOfFiles = Map.of();

  Isolation(RuleOptions options) {
    this.options = options;
  }

  /** Reads the next set. It is refused only if there would be no domain at all. */
  Loading read(String directory, List<RuleText> texts) {
    if (RuleFiles.isMissing(texts, options)) {
      return RuleFiles.nothing(directory);
    }
    RuleSet set = RuleSet.read(texts, options);
    Set<String> troubled = troubled(set);
    Map<String, Domain> domains = new HashMap<>(set.goodDomains());
    domains.keySet().removeAll(troubled);
    Set<String> kept = new TreeSet<>(troubled);
    kept.retainAll(inForce.keySet());
    kept.forEach(name -> domains.put(name, inForce.get(name)));
    List<Problem> problems = set.problems();
    if (domains.isEmpty() && !problems.isEmpty()) {
      return new Loading.Rejected(problems, set.warnings());
    }
    remember(set, domains);
    RuleBook rules = new RuleBook(domains, options.hash());
    if (problems.isEmpty()) {
      return new Loading.Loaded(rules, set.warnings());
    }
    Set<String> absent = new TreeSet<>(troubled);
    absent.removeAll(kept);
    return new Loading.Isolated(rules, problems, kept, absent, set.warnings());
  }

  private Set<String> troubled(RuleSet set) {
    Set<String> troubled = new HashSet<>();
    for (RuleSet.File file : set.files()) {
      if (!file.isGood()) {
        file.domain().ifPresent(troubled::add);
        String before = domainsOfFiles.get(file.name());
        if (before != null) {
          troubled.add(before);
        }
      }
    }
    return troubled;
  }

  private void remember(RuleSet set, Map<String, Domain> domains) {
    Map<String, String> named = new HashMap<>();
    for (RuleSet.File file : set.files()) {
      String before = domainsOfFiles.get(file.name());
      if (file.isGood()) {
        file.domain().ifPresent(name -> named.put(file.name(), name));
      } else if (before != null) {
        named.put(file.name(), before);
      }
    }
    inForce = domains;
    domainsOfFiles = named;
  }
}
