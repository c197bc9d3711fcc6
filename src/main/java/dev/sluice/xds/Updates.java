package dev.sluice.xds;

import com.google.protobuf.Any;
import dev.sluice.proto.discovery.DiscoveryResponse;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.Problem;
import dev.sluice.rulefile.RulesInForce;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts in force what a control plane sends. What it sends again is known: neither is it read anew,
 * nor is anybody told. Not thread-safe.
 */
final class Updates {
  private static final Logger LOG = LoggerFactory.getLogger(Updates.class);
  private static final int MOST_SAID = 20;

  private final String name;
  private final RulesInForce rules;
  private @Nullable Set<Any> last;
  private Optional<String> lastFault = Optional.empty();

  /**
   * No updates yet.
   *
   * @param name of the control plane, for messages
   */
  Updates(String name, RulesInForce rules) {
    this.name = name;
    this.rules = rules;
  }

  /** Takes a response as far as it is good; what is wrong with it, if something is. */
  Optional<String> take(DiscoveryResponse response) {
    if (!response.getTypeUrl().equals(Resources.TYPE)) {
      return Optional.of(
          String.format(
              "the type of the response is '%s' (expected '%s')",
              response.getTypeUrl(), Resources.TYPE));
    }
    Set<Any> resources = Set.copyOf(response.getResourcesList());
    if (!resources.equals(last)) {
      lastFault = read(response.getResourcesList());
      last = resources;
    }
    return lastFault;
  }

  private Optional<String> read(List<Any> resources) {
    try {
      return fault(rules.offer(name, Resources.texts(resources)));
    } catch (RuntimeException | VirtualMachineError e) {
      LOG.error("The rules of {} could not be taken", name, e);
      return Optional.of("the rules could not be taken: " + e);
    }
  }

  private static Optional<String> fault(Loading loading) {
    if (loading instanceof Loading.Rejected rejected) {
      return Optional.of(said(rejected.problems()));
    }
    return loading instanceof Loading.Isolated isolated
        ? Optional.of(said(isolated.problems()))
        : Optional.empty();
  }

  /** The first problems, a line for each. */
  private static String said(List<Problem> problems) {
    Stream<String> more =
        problems.size() > MOST_SAID
            ? Stream.of("… and " + (problems.size() - MOST_SAID) + " more")
            : Stream.empty();
    return Stream.concat(problems.stream().limit(MOST_SAID).map(Problem::toString), more)
        .collect(Collectors.joining("\n"));
  }
}
