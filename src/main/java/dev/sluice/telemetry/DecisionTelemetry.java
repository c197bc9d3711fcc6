package dev.sluice.telemetry;

import dev.sluice.decision.Answer;
import dev.sluice.decision.DecisionObserver;
import dev.sluice.decision.Query;
import dev.sluice.decision.Status;
import io.prometheus.client.Counter;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts decisions. Each unknown domain is also said once, up to a number of them. */
public final class DecisionTelemetry implements DecisionObserver {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionTelemetry.class);
  private static final int MOST_DOMAINS_SAID = 100;
  private static final int LONGEST_NAME = 200;

  private final Counter.Child allowed;
  private final Counter.Child denied;
  private final LongAdder shadowedRequests;
  private final Map<Outcome, Counter.Child> outcomes = new EnumMap<>(Outcome.class);
  private final Counter unknownDomainRequests;
  private final RuleSeries rules;
  private final UnknownDomains unknownDomains;
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  public DecisionTelemetry(Metrics metrics, RuleSeries rules, UnknownDomains unknownDomains) {
    this.rules = rules;
    this.unknownDomains = unknownDomains;
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
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome, descriptors.labels(outcome.label()));
    }
    unknownDomainRequests =
        Counter.build("sluice_unknown_domain_total", "Requests for a domain without rules.")
            .register(metrics.registry());
    shadowedRequests =
        metrics
            .bareCounter(
                "ratelimit_service_global_shadow_mode",
                "ratelimit.service.global_shadow_mode",
                "Requests that passed only because of SHADOW_MODE.")
            .child();
  }

  @Override
  public void unknownDomain(Query query) {
    unknownDomainRequests.inc();
    unknownDomains.count(query);
    String domain = query.domain();
    String name = domain.length() > LONGEST_NAME ? domain.substring(0, LONGEST_NAME) + "…" : domain;
    if (said.size() < MOST_DOMAINS_SAID && said.add(name)) {
      LOG.warn(
          "Domain '{}' has no rules, so its requests are not limited.",
          name.replaceAll("\\p{C}", "?"));
    }
  }

  @Override
  public void decided(Query query, Answer.Decision decision, boolean shadowed) {
    (decision.allowed() ? allowed : denied).inc();
    if (shadowed) {
      shadowedRequests.increment();
    }
    for (Status status : decision.statuses()) {
      Outcome outcome = Outcome.of(status);
      Objects.requireNonNull(outcomes.get(outcome)).inc();
      rules.count(query.domain(), status, outcome);
    }
  }
}
