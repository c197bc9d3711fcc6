package dev.sluice.rulefile;

import dev.sluice.rule.RuleBook;
import dev.sluice.rule.RuleNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.nodes.Node;

/** Reads a set of rule files as a whole: all of them, or none with every problem. */
public final class RuleFiles {
  private RuleFiles() {}

  /**
   * Reads the files. No files at all are a problem too, since they would mean that nothing is
   * limited.
   */
  public static Loading read(String directory, List<RuleText> texts) {
    if (texts.isEmpty()) {
      String text = "there are no rule files (expected at least one *.yaml or *.yml)";
      return new Loading.Rejected(List.of(new Problem(new Place(directory, 1, 1), text)));
    }
    List<Problem> problems = new ArrayList<>();
    Map<String, RuleNode> domains = new HashMap<>();
    Map<String, Place> places = new HashMap<>();
    for (RuleText text : texts) {
      Reading reading = new Reading(text.file());
      for (Node root : YamlText.documents(text, reading)) {
        DomainReader.read(root, reading)
            .ifPresent(
                domain -> {
                  Place other = places.putIfAbsent(domain.name(), domain.place());
                  if (other != null) {
                    reading.problem(
                        domain.place(),
                        "domain '%s' is already defined at %s (expected one file for each domain)",
                        domain.name(),
                        other);
                  }
                  domains.put(domain.name(), domain.root());
                });
      }
      problems.addAll(reading.problems());
    }
    return problems.isEmpty()
        ? new Loading.Loaded(new RuleBook(domains))
        : new Loading.Rejected(problems);
  }
}
