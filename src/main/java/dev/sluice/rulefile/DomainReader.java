package dev.sluice.rulefile;

import dev.sluice.rule.RuleNode;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.Node;

/** Reads the root of a rule file. */
final class DomainReader {
  /**
   * A domain as it stands in a file.
   *
   * @param place of its name
   */
  record Domain(String name, Place place, RuleNode root) {}

  private DomainReader() {}

  static Optional<Domain> read(Node root, Reading reading) {
    return Mapping.of(root, Vocabulary.DOMAIN, reading).flatMap(DomainReader::read);
  }

  private static Optional<Domain> read(Mapping file) {
    Reading reading = file.reading();
    String name = file.text("domain");
    Place place = file.get("domain").map(reading::place).orElseGet(reading::start);
    if (file.lacks("domain")) {
      reading.problem(place, "the domain is missing or empty (expected the name that Envoy sends)");
    }
    RuleNode.Builder node = RuleNode.builder();
    new DescriptorReader(reading).readAll(file.list("descriptors"), Way.to(name), node);
    return name.isEmpty() ? Optional.empty() : Optional.of(new Domain(name, place, node.build()));
  }
}
