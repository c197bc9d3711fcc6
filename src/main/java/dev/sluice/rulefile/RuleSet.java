package dev.sluice.rulefile;

import dev.sluice.rule.Domain;
import dev.sluice.rule.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules as they were read: what they say of each domain, and what is wrong with each file. */
final class RuleSet {
  /**
   * A file.
   *
   * @param domain that it is for, where that can be told
   */
  record File(String name, Optional<String> domain, Reading reading) {
    boolean isGood() {
      return reading.isGood();
    }
  }

  /** Among more names than this, a near one is not looked for. */
  private static final int MOST_SUGGESTED = 1_000;

  private final List<File> files = new ArrayList<>();
  private final Map<String, Branch> domains = new LinkedHashMap<>();
  private final RuleOptions options;

  private RuleSet(RuleOptions options) {
    this.options = options;
  }

  /** Reads files, in this order. */
  static RuleSet read(List<RuleText> texts, RuleOptions options) {
    RuleSet set = new RuleSet(options);
    texts.forEach(set::add);
    Map<String, Reading> readings = new HashMap<>();
    set.files.forEach(file -> readings.put(file.name, file.reading));
    for (Branch domain : set.domains.values()) {
      new Secrecy(readings).check(domain);
      SlotCheck.of(domain).ifPresent(it -> it.check(readings));
    }
    return set;
  }

  private void add(RuleText text) {
    Reading reading = new Reading(text.file(), options);
    Optional<String> name = Optional.empty();
    for (Node root : YamlText.documents(text, reading)) {
      Optional<Branch> domain = DomainReader.read(root, reading);
      domain.ifPresent(it -> add(it, reading));
      name = name.or(() -> domain.map(it -> it.way().id()));
    }
    files.add(new File(text.file(), name, reading));
  }

  private void add(Branch domain, Reading reading) {
    String name = domain.way().id();
    Branch first = domains.putIfAbsent(name, domain);
    if (first == null) {
      return;
    }
    if (options.mergeDomains()) {
      new Merger(reading).merge(first, domain);
      return;
    }
    reading.problem(
        domain.place(),
        "domain '%s' is already defined at %s (expected one %s for each domain)",
        name,
        first.place(),
        options.origin().part());
  }

  List<File> files() {
    return files;
  }

  /** What is wrong, file by file. */
  List<Problem> problems() {
    return files.stream().flatMap(it -> it.reading.problems().stream()).toList();
  }

  /** The domains that no file with a problem is for. */
  Map<String, Domain> goodDomains() {
    Map<String, Domain> good = new LinkedHashMap<>();
    Set<String> bad = badDomains();
    domains.forEach(
        (name, branch) -> {
          if (!bad.contains(name)) {
            good.put(name, branch.domain(options.onFailure()));
          }
        });
    return good;
  }

  /** What has no effect in the good domains, file by file. */
  List<Warning> warnings() {
    List<Warning> warnings = new ArrayList<>();
    Set<String> bad = badDomains();
    Map<String, Set<String>> names = new HashMap<>();
    domains.forEach(
        (name, branch) -> {
          if (!bad.contains(name)) {
            names.put(name, names(branch));
            SlotCheck.of(branch).flatMap(SlotCheck::warning).ifPresent(warnings::add);
            if (options.origin() == RuleOptions.Origin.FILES) {
              new Reach(warnings::add).check(branch);
            }
          }
        });
    Map<String, Integer> order = new HashMap<>();
    for (File file : files) {
      order.put(file.name, order.size());
      Set<String> known = names.get(file.domain.orElse(""));
      if (known != null && file.isGood()) {
        warnings.addAll(file.reading.warnings());
        file.reading.replaced().forEach((place, name) -> warn(place, name, known, warnings));
      }
    }
    Comparator<Warning> byFile =
        Comparator.comparing(it -> order.getOrDefault(it.place().file(), 0));
    warnings.sort(byFile.thenComparing(Warning::place, Place.DOWNWARD));
    return warnings;
  }

  private static Set<String> names(Branch domain) {
    return domain
        .rules()
        .map(Rule::name)
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toSet());
  }

  private static void warn(Place place, String name, Set<String> known, List<Warning> warnings) {
    if (!known.contains(name)) {
      String near = known.size() <= MOST_SUGGESTED ? Suggestion.forWord(name, known) : "";
      String text = String.format("no rule of this domain is called '%s'%s", name, near);
      warnings.add(new Warning(place, Reading.printable(text)));
    }
  }

  private Set<String> badDomains() {
    Set<String> bad = new HashSet<>();
    files.stream().filter(it -> !it.isGood()).forEach(it -> it.domain.ifPresent(bad::add));
    return bad;
  }
}
