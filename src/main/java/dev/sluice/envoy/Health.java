package dev.sluice.envoy;

import io.grpc.BindableService;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import java.util.List;

/**
 * Whether requests should be sent here: from the first good set of rules until the process is told
 * to stop.
 *
 * <p>It waits for the first attempt to reach Redis, so that a new replica does not begin by
 * deciding alone, and does not depend on Redis after that, since requests are decided without it
 * too, unless it is told that Redis does not answer. Thread-safe.
 */
public final class Health {
  /** The names that it answers to; the second is the reference server's. */
  private static final List<String> SERVICES =
      List.of(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, "ratelimit");

  private final HealthStatusManager manager = new HealthStatusManager();
  private boolean rulesLoaded;
  private boolean storeTried;
  private boolean storeAnswers = true;
  private boolean stopping;

  /** Not serving yet. */
  public Health() {
    publish();
  }

  /** There are rules. */
  public synchronized void rulesLoaded() {
    rulesLoaded = true;
    publish();
  }

  /** Buckets can be asked: their store was reached, or was tried and another stands in. */
  public synchronized void storeTried() {
    storeTried = true;
    publish();
  }

  /** Buckets are decided by their store or not, for those who want to know. It begins with yes. */
  public synchronized void storeAnswers(boolean answers) {
    if (storeAnswers != answers) {
      storeAnswers = answers;
      publish();
    }
  }

  /** No more requests, please. */
  public synchronized void stopping() {
    stopping = true;
    publish();
  }

  /** Whether requests should be sent here. */
  public synchronized boolean isServing() {
    return rulesLoaded && storeTried && storeAnswers && !stopping;
  }

  BindableService service() {
    return manager.getHealthService();
  }

  private void publish() {
    ServingStatus status = isServing() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    SERVICES.forEach(service -> manager.setStatus(service, status));
  }
}
