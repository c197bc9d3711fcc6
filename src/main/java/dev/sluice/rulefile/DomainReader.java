package dev.sluice.rulefile;

import dev.sluice.rule.Naming;
import java.util.Optional;

/** Reads the root of a rule file. */
final class DomainReader {
  private DomainReader() {}

  /** The domain, at the place of its name; nothing where it has none. */
  static Optional<Branch> read(Node root, Reading reading) {
    return Mapping.of(root, Vocabulary.DOMAIN, reading).flatMap(DomainReader::read);
  }

  private static Optional<Branch> read(Mapping file) {
    Reading reading = file.reading();
    String name = file.text("domain");
    Place place = file.get("domain").map(reading::place).orElseGet(reading::start);
    if (file.lacks("domain")) {
      reading.problem(place, "the domain is missing or empty (expected the name that Envoy sends)");
    }
    Branch domain = new Branch(Way.to(name), place, Naming.PLAIN, Optional.empty());
    FailureReader.read(file).ifPresent(domain::setFailure);
    SlotReader.read(file).ifPresent(domain::setSlot);
    new DescriptorReader(reading, name).readAll(file.list("descriptors"), domain);
    return name.isEmpty() ? Optional.empty() : Optional.of(domain);
  }
}
