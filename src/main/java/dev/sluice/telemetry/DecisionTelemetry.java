package dev.sluice.telemetry;

import dev.sluice.decision.Answer;
import dev.sluice.decision.DecisionObserver;
import dev.sluice.decision.Status;
import io.prometheus.client.Counter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts decisions. Each unknown domain is also said once, up to a number of them. */
public final class DecisionTelemetry implements DecisionObserver {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionTelemetry.class);
  private static final int MOST_DOMAINS_SAID = 100;
  private static final int LONGEST_NAME = 200;

  private final Counter.Child allowed;
  private final Counter.Child denied;
  private final Counter.Child unmatched;
  private final Counter.Child unlimited;
  private final Counter.Child withinLimit;
  private final Counter.Child overLimit;
  private final Counter.Child shadowed;
  private final Counter unknownDomains;
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  public DecisionTelemetry(Metrics metrics) {
    Counter requests =
        Counter.build("sluice_requests_total", "Requests decided, by what their statuses say.")
            .labelNames("verdict")
            .register(metrics.registry());
    allowed = requests.labels("ok");
    denied = requests.labels("over_limit");
    Counter descriptors =
        Counter.build("sluice_descriptors_total", "Descriptors decided.")
            .labelNames("status")
            .register(metrics.registry());
    unmatched = descriptors.labels("unmatched");
    unlimited = descriptors.labels("unlimited");
    withinLimit = descriptors.labels("within_limit");
    overLimit = descriptors.labels("over_limit");
    shadowed = descriptors.labels("shadowed");
    unknownDomains =
        Counter.build("sluice_unknown_domain_total", "Requests for a domain without rules.")
            .register(metrics.registry());
  }

  @Override
  public void unknownDomain(String domain) {
    unknownDomains.inc();
    if (said.size() < MOST_DOMAINS_SAID && said.add(domain)) {
      String name =
          domain.length() > LONGEST_NAME ? domain.substring(0, LONGEST_NAME) + "…" : domain;
      LOG.warn(
          "Domain '{}' has no rules, so its requests are not limited.",
          name.replaceAll("\\p{C}", "?"));
    }
  }

  @Override
  public void decided(Answer.Decision decision, boolean shadowed) {
    (decision.allowed() ? allowed : denied).inc();
    for (Status status : decision.statuses()) {
      counter(status).inc();
    }
  }

  private Counter.Child counter(Status status) {
    if (status instanceof Status.Unmatched) {
      return unmatched;
    }
    if (status instanceof Status.Unlimited) {
      return unlimited;
    }
    if (!status.isOk()) {
      return overLimit;
    }
    boolean conforms = status instanceof Status.Decided decided && decided.verdict().conforms();
    return conforms ? withinLimit : shadowed;
  }
}
